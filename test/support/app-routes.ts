import { METHODS } from 'node:http';
import { Router } from '@koa/router';
import type Koa from 'koa';
import type { RequestState } from '../../src/http/state.ts';

/** One address of the application, as its router has it, and what is taken there. */
export interface AppRoute {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Every route of `app`, asked of its routers: one that is added tomorrow is in the list. */
export function routesOf(app: Koa<RequestState>): readonly AppRoute[] {
  const routers = app.middleware.flatMap((middleware) => ('router' in middleware && middleware.router instanceof Router ? [middleware.router] : []));
  const byPath = new Map<string, Set<string>>();
  for (const { path, methods } of routers.flatMap((router) => router.stack).filter((layer) => layer.methods.length > 0)) {
    byPath.set(String(path), new Set([...(byPath.get(String(path)) ?? []), ...methods.filter((method) => METHODS.includes(method))]));
  }
  return [...byPath].map(([path, methods]) => ({ path, methods: [...methods] }));
}
