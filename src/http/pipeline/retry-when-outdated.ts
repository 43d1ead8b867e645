import { decideAgain } from '../../event-store/decide-again.ts';
import type { Handler } from './state.ts';

/**
 * Answers a request again, from its first check on, when what it was decided on has changed before anything was
 * recorded. A user who has lost a role is told so, and a user who only saved twice is served. No handler throws that a
 * command is outdated after another one of the same request has changed something, so an outdated request has changed
 * nothing, and spends no limit twice: `ctx.state.once`.
 */
export const retryWhenOutdated: Handler = (ctx, next) =>
  decideAgain(async (once) => {
    ctx.state.once = once;
    await next();
  });
