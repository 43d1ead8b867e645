import type { Endpoint } from '../endpoint.ts';
import type { Handler } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

/** What the route of a page may declare beside its path and its handlers. */
export type PageOptions = Pick<Endpoint, 'openApi' | 'isExemptFromChangeLimit'>;

/** For forms that end access, ask for the password or have a limit of their own: see `limitChanges`. */
export const WITHOUT_CHANGE_LIMIT: PageOptions = { isExemptFromChangeLimit: true };

/** Collects the routes of pages. */
export interface PageRouter {
  readonly routes: readonly Route[];
  get(path: string, ...handlers: readonly Handler[]): void;
  post(path: string, ...handlers: readonly Handler[]): void;
  /** The same router, for routes that declare `options`. */
  with(options: PageOptions): Pick<PageRouter, 'get' | 'post'>;
}

export interface PageRouterOptions {
  /** What all paths begin with. */
  readonly prefix?: string;
  /** Runs before the handlers of every route. */
  readonly guard?: Handler;
}

/** Pages have in common that people open them with the session of their browser. */
export function createPageRouter({ prefix = '', guard }: PageRouterOptions = {}): PageRouter {
  const routes: Route[] = [];
  const add =
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
  const adders = (options: PageOptions) => ({ get: add('GET', options), post: add('POST', options) });
  return { routes, ...adders({}), with: adders };
}
