import { decideAgain } from '../../event-store/decide-again.ts';
import type { Handler } from './state.ts';

/**
 * Retries a request from its first check if the data that it was checked against changed before anything was recorded.
 * This way, a user who has just lost a role is told so, and a user who merely saved twice gets a response. An outdated
 * request has changed nothing, because a handler sends no further command after one that changed something.
 * `ctx.state.once` prevents rate limits from counting a retry as a second request.
 */
export const retryWhenOutdated: Handler = (ctx, next) =>
  decideAgain(async (once) => {
    ctx.state.once = once;
    await next();
  });
