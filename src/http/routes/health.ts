import { Router } from '@koa/router';
import type { RequestState } from '../state.ts';

/** `ready`: undefined, or in words what keeps the service from taking requests. */
export function healthRoutes(ready: () => string | undefined): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true });

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'alive' };
  });

  router.get('/readyz', (ctx) => {
    const obstacle = ready();
    ctx.status = obstacle === undefined ? 200 : 503;
    ctx.body = obstacle === undefined ? { status: 'ready' } : { status: 'not ready', detail: obstacle };
  });

  return router;
}
