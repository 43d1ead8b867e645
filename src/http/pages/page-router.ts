import type { Endpoint } from '../endpoint.ts';
import type { Handler } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

/** Properties that a page route can declare in addition to its path and handlers. */
export type PageOptions = Pick<Endpoint, 'openApi' | 'isExemptFromChangeLimit' | 'takesFile'>;

/**
 * The options of forms that revoke access, ask for the password, record nothing or have their own limit: see
 * `limitChanges`.
 */
export const WITHOUT_CHANGE_LIMIT: PageOptions = { isExemptFromChangeLimit: true };

/** Collects page routes. */
export interface PageRouter {
  readonly routes: readonly Route[];
  get(path: string, ...handlers: readonly Handler[]): void;
  post(path: string, ...handlers: readonly Handler[]): void;
  /** Returns an object that adds routes with `options` to this router. */
  with(options: PageOptions): Pick<PageRouter, 'get' | 'post'>;
}

export interface PageRouterOptions {
  /** The prefix of all paths. */
  readonly prefix?: string;
  /** Runs before the handlers of every route. */
  readonly guard?: Handler;
}

/** Creates a router for pages, all of which use the browser's session. */
export function createPageRouter({ prefix = '', guard }: PageRouterOptions = {}): PageRouter {
  const routes: Route[] = [];
  const createRouteAdder =
    (method: 'GET' | 'POST', options: PageOptions) =>
    (path: string, ...handlers: readonly Handler[]): void => {
      routes.push({
        method,
        path: prefix !== '' && path === '/' ? prefix : `${prefix}${path}`,
        kind: 'page',
        authentication: 'session',
        ...options,
        pipeline: guard === undefined ? handlers : [guard, ...handlers],
      });
    };
  const createRouteAdders = (options: PageOptions) => ({
    get: createRouteAdder('GET', options),
    post: createRouteAdder('POST', options),
  });
  return { routes, ...createRouteAdders({}), with: createRouteAdders };
}
