import { decideAgain } from '../../event-store/decide-again.ts';
import type { Handler } from './state.ts';

/**
 * Retries a request from its first check if the data behind its decision has changed before anything was recorded. So a
 * user who has just lost a role is told so, and a user who merely saved twice gets a response. An outdated request has
 * changed nothing, because a handler sends no further command after one that changed something. `ctx.state.once`
 * prevents a retry from being counted twice by limits.
 */
export const retryWhenOutdated: Handler = (ctx, next) =>
  decideAgain(async (once) => {
    ctx.state.once = once;
    await next();
  });
