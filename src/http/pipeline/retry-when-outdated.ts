import { decideAgain } from '../../event-store/decide-again.ts';
import type { Handler } from './state.ts';

/**
 * Retries a request, starting with its first check, if the data behind the checks changed before the request recorded
 * anything. A user who has just lost a role is therefore told so, and a user who merely saved twice gets a normal
 * response. An outdated request has changed nothing, because a handler sends no more commands after one that changed
 * something.
 * `ctx.state.once` prevents rate limits from counting a retry as a second request.
 */
export const retryWhenOutdated: Handler = (ctx, next) =>
  decideAgain(async (once) => {
    ctx.state.once = once;
    await next();
  });
