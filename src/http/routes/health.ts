import { Router } from '@koa/router';
import type { Exposition } from '../../monitoring/metrics.ts';
import { ALIVE, METRICS, READY } from '../api/health-api.ts';
import { described } from '../api/operation.ts';
import type { RequestState } from '../state.ts';

/** `ready`: undefined, or in words what keeps the service from taking requests. */
export function healthRoutes(ready: () => string | undefined, exposition: () => Promise<Exposition>): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true });

  router.get('/healthz', described([ALIVE], (ctx) => {
    ctx.body = { status: 'alive' };
  }));

  router.get('/readyz', described([READY], (ctx) => {
    const obstacle = ready();
    ctx.status = obstacle === undefined ? 200 : 503;
    ctx.body = obstacle === undefined ? { status: 'ready' } : { status: 'not ready', detail: obstacle };
  }));

  router.get('/metrics', described([METRICS], async (ctx) => {
    const { contentType, text } = await exposition();
    ctx.set('Content-Type', contentType);
    ctx.body = text;
  }));

  return router;
}
