import type { Role } from '../../domain/events.ts';
import { requireLogin } from './require-login.ts';
import { requireCsrfToken } from './page-form.ts';
import type { LoggedInUser } from './web-session.ts';
import { PageError } from './page-error.ts';
import type { Handler, RequestContext } from './state.ts';

/**
 * Guards all pages of a router: requires a login, a role and, for forms, the CSRF token. The role is checked for each
 * request, and again before a page is sent, because some pages take long and the role may be removed meanwhile.
 * @param forWhom completes "This page is for …"
 */
export function requireRole(loginUrl: string, may: (roles: readonly Role[]) => boolean, forWhom: string): Handler {
  const forRole = (answer: (ctx: RequestContext) => Promise<void>) =>
    requireLogin(loginUrl, (ctx, { user }) => {
      if (may(user.roles)) return answer(ctx);
      const advice = 'If you should have access, ask an administrator of this server.';
      throw new PageError(403, 'No access', `This page is for ${forWhom}.`, advice);
    });

  return (ctx, next) =>
    forRole(async () => {
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return requireCsrfToken(ctx, next);
      await next();
      return forRole(async () => {})(ctx);
    })(ctx);
}

/** The logged-in user, on a route guarded by `requireRole`. */
export function actingUser(ctx: RequestContext): LoggedInUser {
  const user = ctx.state.webSession.loggedInUser();
  if (user === undefined) throw new Error(`${ctx.path} is not guarded`);
  return user;
}
