import { METHODS } from 'node:http';
import { Router } from '@koa/router';
import type Koa from 'koa';
import type { RequestState } from '../../src/http/pipeline/state.ts';

/** One address of the application, as its router has it, and what is taken there. */
export interface AppRoute {
  readonly path: string;
  readonly methods: readonly string[];
}

/** The routers of `app`, in the order in which they are asked. */
export function routersOf(app: Koa<RequestState>): readonly Router<RequestState>[] {
  const routers = app.middleware.flatMap((middleware): unknown => ('routers' in middleware ? middleware.routers : []));
  return routers.filter((router) => router instanceof Router);
}

/** Every route of `app`, asked of its routers: one that is added tomorrow is in the list. */
export function routesOf(app: Koa<RequestState>): readonly AppRoute[] {
  const byPath = new Map<string, Set<string>>();
  for (const { path, methods } of routersOf(app)
    .flatMap((router) => router.stack)
    .filter((layer) => layer.methods.length > 0)) {
    byPath.set(
      String(path),
      new Set([...(byPath.get(String(path)) ?? []), ...methods.filter((method) => METHODS.includes(method))]),
    );
  }
  return [...byPath].map(([path, methods]) => ({ path, methods: [...methods] }));
}
