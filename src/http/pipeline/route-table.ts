import { match } from 'path-to-regexp';
import type { Endpoint } from '../endpoint.ts';

/** The decoded parameters of a path. The value of a wildcard is a list of segments. */
export type PathParameters = Readonly<Partial<Record<string, string | readonly string[]>>>;

/** A route that matches a request. */
export interface Match<Route> {
  readonly route: Route;
  readonly parameters: PathParameters;
}

/** Finds the route for a request. Paths are matched as sent, before decoding. */
export interface RouteTable<Route> {
  readonly routes: readonly Route[];
  /** Returns the first route that matches both `method` and `path`. */
  find(method: string, path: string): Match<Route> | undefined;
  /** Returns the routes that match `path`, whatever their methods. */
  routesAt(path: string): readonly Route[];
  /**
   * Returns the first route that matches `path`. If no route matches, returns a route that shares the most leading
   * segments with `path`, preferably a page, or undefined if no route shares the first segment.
   */
  nearest(path: string): Route | undefined;
}

interface Entry<Route> {
  readonly route: Route;
  readonly acceptsMethod: (method: string) => boolean;
  readonly matchPath: MatchPath;
}

/**
 * Creates the route table.
 * @param routes in order of precedence
 * @throws Error if the first segment of a path contains a parameter, because routes are looked up by that segment
 */
export function createRouteTable<Route extends Endpoint>(routes: readonly Route[]): RouteTable<Route> {
  const entriesBySegment = new Map<string, Entry<Route>[]>();
  const routesByPrefix = new Map<string, Route>();
  for (const route of routes) {
    const segment = literalFirstSegment(route);
    const entries = entriesBySegment.get(segment) ?? [];
    entries.push(toEntry(route));
    entriesBySegment.set(segment, entries);
    for (const prefix of prefixes(literalStart(route.path))) {
      const existingRoute = routesByPrefix.get(prefix);
      if (existingRoute === undefined || (existingRoute.kind !== 'page' && route.kind === 'page'))
        routesByPrefix.set(prefix, route);
    }
  }
  const entriesFor = (path: string): readonly Entry<Route>[] => entriesBySegment.get(firstSegment(path)) ?? [];

  function routesAt(path: string): readonly Route[] {
    return entriesFor(path).flatMap(({ route, matchPath }) => (matchPath(path) === false ? [] : [route]));
  }

  function nearestByPrefix(path: string): Route | undefined {
    let nearestRoute: Route | undefined;
    for (const prefix of prefixes(path)) {
      const route = routesByPrefix.get(prefix);
      if (route === undefined) break;
      nearestRoute = route;
    }
    return nearestRoute;
  }

  return {
    routes,
    find(method, path) {
      for (const { route, acceptsMethod, matchPath } of entriesFor(path)) {
        const pathMatch = acceptsMethod(method) && matchPath(path);
        if (pathMatch !== false) return { route, parameters: pathMatch.params };
      }
      return undefined;
    },
    routesAt,
    nearest: (path) => routesAt(path)[0] ?? nearestByPrefix(path),
  };
}

/**
 * The HTTP methods that a route handles, in the order of the `Allow` header. A route for any method rejects unsupported
 * methods itself.
 */
export const METHODS: Readonly<Record<Endpoint['method'], readonly string[]>> = {
  GET: ['HEAD', 'GET'],
  POST: ['POST'],
  ANY: [],
};

/** Returns the parameters in a path, or false if the path does not match. */
type MatchPath = (path: string) => { readonly params: PathParameters } | false;

/** The matchers for all routes. The paths are constants, so each path is compiled only once per process. */
const matchers = new Map<string, MatchPath>();

function getMatcher(path: string): MatchPath {
  const matchPath = matchers.get(path) ?? createMatcher(path);
  matchers.set(path, matchPath);
  return matchPath;
}

function createMatcher(path: string): MatchPath {
  return PATTERN.test(path) ? match(path, { sensitive: true, decode }) : literalMatcher(path);
}

const WITHOUT_PARAMETERS = { params: {} };

/** Returns the matcher for a path without parameters. Like path-to-regexp, the matcher allows a trailing slash. */
function literalMatcher(literal: string): MatchPath {
  const withSlash = `${literal}/`;
  return (path) => (path === literal || path === withSlash ? WITHOUT_PARAMETERS : false);
}

function toEntry<Route extends Endpoint>(route: Route): Entry<Route> {
  return {
    route,
    acceptsMethod: (method) => route.method === 'ANY' || METHODS[route.method].includes(method),
    matchPath: getMatcher(route.path),
  };
}

/**
 * Decodes a segment, and returns a malformed one unchanged. `validateHead` refuses malformed paths, but the format of
 * that error depends on the route that the path matches.
 */
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

/** Returns the part of a path before the first segment that contains a pattern. */
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
