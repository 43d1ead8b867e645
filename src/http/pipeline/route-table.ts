import { match, type MatchFunction } from 'path-to-regexp';
import type { Endpoint } from '../endpoint.ts';

/** The decoded parameters of a path. A wildcard has a list of segments. */
export type PathParameters = Readonly<Partial<Record<string, string | readonly string[]>>>;

/** A route that matches a request. */
export interface Match<Route> {
  readonly route: Route;
  readonly parameters: PathParameters;
}

/** Finds the route of a request. Paths are matched as sent, before decoding. */
export interface RouteTable<Route> {
  readonly routes: readonly Route[];
  /** Returns the first route that matches. */
  find(method: string, path: string): Match<Route> | undefined;
  /** Returns the routes that match `path` with any method. */
  routesAt(path: string): readonly Route[];
  /**
   * Returns the first route at `path`. If no route is there, returns one that shares the most leading segments,
   * preferably a page, or undefined if no route shares the first segment.
   */
  nearest(path: string): Route | undefined;
}

interface Entry<Route> {
  readonly route: Route;
  readonly acceptsMethod: (method: string) => boolean;
  readonly matchPath: MatchPath;
}

/**
 * Creates the table of these routes.
 * @param routes in order of precedence
 * @throws Error if the first segment of a path has a parameter, because routes are looked up by that segment
 */
export function createRouteTable<Route extends Endpoint>(routes: readonly Route[]): RouteTable<Route> {
  const bySegment = new Map<string, Entry<Route>[]>();
  const byPrefix = new Map<string, Route>();
  for (const route of routes) {
    const segment = literalFirstSegment(route);
    const entries = bySegment.get(segment) ?? [];
    entries.push(toEntry(route));
    bySegment.set(segment, entries);
    for (const prefix of prefixes(literalStart(route.path))) {
      const current = byPrefix.get(prefix);
      if (current === undefined || (current.kind !== 'page' && route.kind === 'page')) byPrefix.set(prefix, route);
    }
  }
  const entriesFor = (path: string): readonly Entry<Route>[] => bySegment.get(firstSegment(path)) ?? [];

  function routesAt(path: string): readonly Route[] {
    return entriesFor(path).flatMap(({ route, matchPath }) => (matchPath(path) === false ? [] : [route]));
  }

  function nearestByPrefix(path: string): Route | undefined {
    let found: Route | undefined;
    for (const prefix of prefixes(path)) {
      const route = byPrefix.get(prefix);
      if (route === undefined) break;
      found = route;
    }
    return found;
  }

  return {
    routes,
    find(method, path) {
      for (const { route, acceptsMethod, matchPath } of entriesFor(path)) {
        const matched = acceptsMethod(method) && matchPath(path);
        if (matched !== false) return { route, parameters: matched.params };
      }
      return undefined;
    },
    routesAt,
    nearest: (path) => routesAt(path)[0] ?? nearestByPrefix(path),
  };
}

/** The methods of each kind of route, in the order of `Allow`. A route for any method refuses methods itself. */
export const METHODS: Readonly<Record<Endpoint['method'], readonly string[]>> = {
  GET: ['HEAD', 'GET'],
  POST: ['POST'],
  ANY: [],
};

type MatchPath = MatchFunction<Partial<Record<string, string | string[]>>>;

/** The matchers of all routes. Their paths are constants, so each is compiled once in a process. */
const matchers = new Map<string, MatchPath>();

function matcherOf(path: string): MatchPath {
  const matchPath = matchers.get(path) ?? match(path, { sensitive: true, decode });
  matchers.set(path, matchPath);
  return matchPath;
}

function toEntry<Route extends Endpoint>(route: Route): Entry<Route> {
  return {
    route,
    acceptsMethod: (method) => route.method === 'ANY' || METHODS[route.method].includes(method),
    matchPath: matcherOf(route.path),
  };
}

/** Returns malformed text unchanged: the request is refused, but the format of the error depends on the route. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const PATTERN = /[:*{(\\]/;

function literalFirstSegment({ path }: Endpoint): string {
  const segment = firstSegment(path);
  if (PATTERN.test(segment)) throw new Error(`the route ${path} must not have a parameter in its first segment`);
  return segment;
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}

/** Returns the start of a path, up to the first segment that contains a pattern. */
function literalStart(path: string): string {
  const segments = path.split('/');
  const end = segments.findIndex((segment) => PATTERN.test(segment));
  return segments.slice(0, end === -1 ? undefined : end).join('/');
}

/** Yields the prefixes of a path: `/a` and `/a/b` for `/a/b`, and none for `/`. */
function* prefixes(path: string): Generator<string, void, void> {
  for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) yield path.slice(0, end);
  if (path.length > 1 && !path.endsWith('/')) yield path;
}
