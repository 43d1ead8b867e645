import { english } from '../../language/english.ts';
import type { Text } from '../../language/message.ts';
import type { Exposition } from '../../platform/metrics/metrics.ts';
import { CHECK_ALIVE, READ_METRICS, CHECK_READY } from '../openapi/health-api.ts';
import { PageError } from '../pipeline/page-error.ts';
import { header } from '../pipeline/request-head.ts';
import type { RequestContext } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'] as const;

/**
 * Reports whether a proxy forwarded the request. Metrics count refusals by rule and so, unlike responses, distinguish
 * an unknown client from an incorrect secret. Metrics must not become public just because a proxy does not block their
 * path.
 */
function isForwarded(ctx: Pick<RequestContext, 'req'>): boolean {
  return PROXY_HEADERS.some((name) => header(ctx, name) !== undefined);
}

function metricsNotFound(): PageError {
  const message = 'Metrics are not available through a proxy.';
  return new PageError(404, 'Not found', message, 'Request them directly from the server.');
}

export interface HealthRoutesDeps {
  /** Returns the reason why the server cannot take requests, or undefined if it can. */
  readonly readinessProblem: () => Text | undefined;
  readonly exposition: () => Promise<Exposition>;
}

/** Returns the routes for load balancers and Prometheus. */
export function healthRoutes({ readinessProblem, exposition }: HealthRoutesDeps): readonly Route[] {
  const common = { method: 'GET', kind: 'api', authentication: 'none', isPolled: true } as const;
  return [
    {
      ...common,
      path: '/healthz',
      openApi: [CHECK_ALIVE],
      pipeline: [(ctx) => void (ctx.body = { status: 'alive' })],
    },
    {
      ...common,
      path: '/readyz',
      openApi: [CHECK_READY],
      pipeline: [
        (ctx) => {
          const problem = readinessProblem();
          ctx.status = problem === undefined ? 200 : 503;
          ctx.body =
            problem === undefined ? { status: 'ready' } : { status: 'not ready', detail: english.text(problem) };
        },
      ],
    },
    {
      ...common,
      path: '/metrics',
      openApi: [READ_METRICS],
      pipeline: [
        async (ctx) => {
          if (isForwarded(ctx)) throw metricsNotFound();
          const { contentType, text } = await exposition();
          ctx.set('Content-Type', contentType);
          ctx.body = text;
        },
      ],
    },
  ];
}
