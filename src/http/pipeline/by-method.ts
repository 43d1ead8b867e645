import { described, type DescribedHandler } from '../openapi/operation.ts';

type Method = 'GET' | 'POST';

/**
 * One handler for each method of a resource, behind its policy: who may not use the resource learns
 * nothing of its methods. HEAD is answered as GET is; others get 405.
 */
export function byMethod(handlers: Partial<Record<Method, DescribedHandler>>): DescribedHandler {
  const allowed = [...Object.keys(handlers), ...('GET' in handlers ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  const operations = Object.values(handlers).flatMap((handler) => handler.operations);
  return described(operations, async (ctx, next) => {
    const handler = handlers[(ctx.method === 'HEAD' ? 'GET' : ctx.method) as Method];
    if (handler !== undefined) return handler(ctx, next);
    ctx.set('Allow', allowed);
    ctx.status = ctx.method === 'OPTIONS' ? 204 : 405;
    if (ctx.method !== 'OPTIONS') ctx.body = { detail: `Method "${ctx.method}" not allowed.` };
  });
}
