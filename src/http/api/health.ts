import { Router } from '@koa/router';
import type { Exposition } from '../../platform/metrics/metrics.ts';
import { CHECK_ALIVE, READ_METRICS, CHECK_READY } from '../openapi/health-api.ts';
import { described } from '../openapi/operation.ts';
import { PageError } from '../pipeline/page-error.ts';
import { header } from '../pipeline/request-head.ts';
import type { RequestContext, RequestState } from '../pipeline/state.ts';

const SET_BY_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'] as const;

/**
 * Whether a proxy passed the request on. The metrics count refusals by their rule, and so tell apart what answers do
 * not, such as an unknown client from a wrong secret: that must not be public because a proxy was not told to block it.
 */
function isForwarded(ctx: Pick<RequestContext, 'req'>): boolean {
  return SET_BY_PROXIES.some((name) => header(ctx, name) !== undefined);
}

function metricsNotForwarded(): PageError {
  const message = 'Metrics are not shown to requests that a proxy passed on.';
  return new PageError(404, 'Not found', message, 'Ask the server directly.');
}

/** `ready`: undefined, or in words what keeps the service from taking requests. */
export function healthRoutes(
  ready: () => string | undefined,
  exposition: () => Promise<Exposition>,
): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true });

  router.get(
    '/healthz',
    described([CHECK_ALIVE], (ctx) => {
      ctx.body = { status: 'alive' };
    }),
  );

  router.get(
    '/readyz',
    described([CHECK_READY], (ctx) => {
      const obstacle = ready();
      ctx.status = obstacle === undefined ? 200 : 503;
      ctx.body = obstacle === undefined ? { status: 'ready' } : { status: 'not ready', detail: obstacle };
    }),
  );

  router.get(
    '/metrics',
    described([READ_METRICS], async (ctx) => {
      if (isForwarded(ctx)) throw metricsNotForwarded();
      const { contentType, text } = await exposition();
      ctx.set('Content-Type', contentType);
      ctx.body = text;
    }),
  );

  return router;
}
