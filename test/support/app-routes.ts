import { METHODS } from 'node:http';
import type Koa from 'koa';
import type { RequestState } from '../../src/http/pipeline/state.ts';
import type { Route } from '../../src/http/route.ts';

/** A path of the application, with the methods that it accepts. */
export interface AppRoute {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Returns the routes that `app` declares, in the order that they are tried in. */
export function routesOf(app: Koa<RequestState>): readonly Route[] {
  return app.middleware.flatMap((middleware) =>
    'routes' in middleware ? (middleware.routes as readonly Route[]) : [],
  );
}

export function methodsOf({ method }: Route): readonly string[] {
  if (method === 'ANY') return METHODS;
  return method === 'GET' ? ['HEAD', 'GET'] : [method];
}

/** Returns the paths that `app` serves, each once. */
export function appRoutesOf(app: Koa<RequestState>): readonly AppRoute[] {
  const byPath = new Map<string, Set<string>>();
  for (const route of routesOf(app)) {
    byPath.set(route.path, new Set([...(byPath.get(route.path) ?? []), ...methodsOf(route)]));
  }
  return [...byPath].map(([path, methods]) => ({ path, methods: [...methods] }));
}
