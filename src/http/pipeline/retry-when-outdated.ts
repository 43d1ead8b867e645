import { decideAgain } from '../../event-store/decide-again.ts';
import type { Handler } from './state.ts';

/**
 * Repeats a request from its first check if the data that it was decided on has changed before anything was recorded.
 * Then a user who has lost a role is told so, and a user who only saved twice is served. An outdated request has
 * changed nothing, because a handler sends no second command after one that changed something. `ctx.state.once` keeps
 * limits from being spent twice.
 */
export const retryWhenOutdated: Handler = (ctx, next) =>
  decideAgain(async (once) => {
    ctx.state.once = once;
    await next();
  });
