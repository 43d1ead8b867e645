import type { Handler } from './state.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Returns the last step of an `ANY` route, which calls the handler for the request's method. If a policy precedes this
 * step, callers without access do not learn which methods the path supports. HEAD uses the GET handler, OPTIONS gets
 * 204, and any method without a handler gets 405.
 */
export function byMethod(handlers: Partial<Record<Method, Handler>>): Handler {
  const allowedMethods = [...Object.keys(handlers), ...('GET' in handlers ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (ctx, next) => {
    const handler = handlers[(ctx.method === 'HEAD' ? 'GET' : ctx.method) as Method];
    if (handler !== undefined) return handler(ctx, next);
    ctx.set('Allow', allowedMethods);
    ctx.status = ctx.method === 'OPTIONS' ? 204 : 405;
    if (ctx.method !== 'OPTIONS') ctx.body = { detail: `Method "${ctx.method}" not allowed.` };
  };
}
