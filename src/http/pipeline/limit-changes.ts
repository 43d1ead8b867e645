import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Handler } from './state.ts';
import { hasCsrfToken } from './page-form.ts';

/**
 * Limits the forms of each user together, before anything is changed: most of them record something, and a browser's
 * session is all that they need. A form from another site changes nothing and does not count. Routes are exempt if they
 * end access or ask for the password (a user must be able to end a session that someone else has taken over and uses up
 * the limit), or if they have a limit of their own.
 */
export function limitChanges(limits: Pick<RateLimits, 'spend'>): Handler {
  return (ctx, next) => {
    const isCounted =
      ctx.method === 'POST' && ctx.state.endpoint?.isExemptFromChangeLimit !== true && hasCsrfToken(ctx);
    const caller = isCounted ? ctx.state.webSession.loggedInUser() : undefined;
    if (caller !== undefined) limits.spend('changes-by-user', caller.user.userId, ctx.state.once);
    return next();
  };
}
