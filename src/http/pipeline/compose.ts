import type { Handler } from './state.ts';

/**
 * Combines the handlers into one. Each handler calls the following one with `next`. koa-compose creates a promise and a
 * bound function for each handler and request, which costs 4% of a token request (`npm run bench -- compare --rows
 * client_credentials`). Here, `next` need not return a promise, so use its result only with `await` or `return`.
 */
export function compose(handlers: readonly Handler[]): Handler {
  return handlers.reduceRight<Handler>(
    (nextHandler, handler) => (ctx, next) => handler(ctx, () => nextHandler(ctx, next)),
    (_ctx, next) => next(),
  );
}
