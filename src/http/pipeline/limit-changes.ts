import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Handler } from './state.ts';
import { hasValidCsrfToken } from './page-form.ts';

/**
 * Returns a step that limits the rate at which each user can submit forms, because most forms append events and require
 * only a browser session. Forms from other sites change nothing and do not count. Routes are exempt if they record
 * nothing or have their own limit, or if they revoke access or ask for the password: a user must be able to end a
 * session that someone else has taken over, even if that session exhausts the limit.
 */
export function limitChanges(limits: Pick<RateLimits, 'spend'>): Handler {
  return (ctx, next) => {
    const isCounted =
      ctx.method === 'POST' && ctx.state.endpoint?.isExemptFromChangeLimit !== true && hasValidCsrfToken(ctx);
    const caller = isCounted ? ctx.state.webSession.loggedInUser() : undefined;
    if (caller !== undefined) limits.spend('changes-by-user', caller.user.userId, ctx.state.once);
    return next();
  };
}
