import type { Role } from '../../domain/events.ts';
import { requireLogin } from './require-login.ts';
import { requireCsrfToken } from './page-form.ts';
import type { LoggedInUser } from './web-session.ts';
import { PageError } from './page-error.ts';
import type { Handler, RequestContext } from './state.ts';

/**
 * The guard of a whole router of pages: who is not logged in goes to log in first, who may not go further hears so, and
 * no form gets through without the CSRF token. Roles are read at each request, so one that was taken away is gone; and
 * again before a page is answered, for some take long to make.
 * @param forWhom completes "This page is for …"
 */
export function requireRole(loginUrl: string, may: (roles: readonly Role[]) => boolean, forWhom: string): Handler {
  const forRole = (answer: (ctx: RequestContext) => Promise<void>) =>
    requireLogin(loginUrl, (ctx, { user }) => {
      if (may(user.roles)) return answer(ctx);
      const advice = 'If you should be one, ask an administrator of this server.';
      throw new PageError(403, 'Not for your account', `This page is for ${forWhom}.`, advice);
    });

  return (ctx, next) =>
    forRole(async () => {
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return requireCsrfToken(ctx, next);
      await next();
      return forRole(async () => {})(ctx);
    })(ctx);
}

/** Who acts, behind `requireRole`. */
export function actingUser(ctx: RequestContext): LoggedInUser {
  const person = ctx.state.webSession.loggedInUser();
  if (person === undefined) throw new Error(`${ctx.path} is not guarded`);
  return person;
}
