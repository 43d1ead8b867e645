import type { Handler } from './state.ts';

/**
 * The handlers as one handler, each called by `next` of the one before. koa-compose makes a promise and a bound
 * function for each handler and request, which costs 4 % of a token request
 * (`npm run bench -- compare --rows client_credentials`). So the result of `next` may not be a promise: use it with
 * `await` or `return` only.
 */
export function compose(handlers: readonly Handler[]): Handler {
  return handlers.reduceRight<Handler>(
    (following, handler) => (ctx, next) => handler(ctx, () => following(ctx, next)),
    (_ctx, next) => next(),
  );
}
