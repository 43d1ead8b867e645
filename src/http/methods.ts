import type { Handler, RequestContext } from './state.ts';

type Method = 'GET' | 'POST';

/**
 * One handler for each method of a resource, behind its policy: who may not use the resource learns
 * nothing of its methods. HEAD is answered as GET is; others get 405.
 */
export function methods(handlers: Partial<Record<Method, (ctx: RequestContext) => void | Promise<void>>>): Handler {
  const allowed = [...Object.keys(handlers), ...('GET' in handlers ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return async (ctx) => {
    const handler = handlers[(ctx.method === 'HEAD' ? 'GET' : ctx.method) as Method];
    if (handler !== undefined) return handler(ctx);
    ctx.set('Allow', allowed);
    ctx.status = ctx.method === 'OPTIONS' ? 204 : 405;
    if (ctx.method !== 'OPTIONS') ctx.body = { detail: `Method "${ctx.method}" not allowed.` };
  };
}
