import type { Role } from '../../domain/events.ts';
import { message, type Message } from '../../language/message.ts';
import { requireLogin } from './require-login.ts';
import { requireCsrfToken } from './page-form.ts';
import type { LoggedInUser } from './web-session.ts';
import { PageError } from './page-error.ts';
import type { Handler, RequestContext } from './state.ts';

/**
 * Returns a step that guards the pages for a role. The step requires a login, the role and, for forms, the CSRF token.
 * It checks the role for each request, and again before a page is sent, because some pages take a long time to build
 * and the user may lose the role in the meantime.
 * @param audience the message that tells other users which roles the page is for
 */
export function requireRole(
  loginUrl: string,
  isPermitted: (roles: readonly Role[]) => boolean,
  audience: Message,
): Handler {
  const forRole = (handle: (ctx: RequestContext) => Promise<void>) =>
    requireLogin(loginUrl, (ctx, { user }) => {
      if (isPermitted(user.roles)) return handle(ctx);
      throw new PageError(403, message('error.no-access'), audience, message('error.no-access.advice'));
    });

  return (ctx, next) =>
    forRole(async () => {
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return requireCsrfToken(ctx, next);
      await next();
      return forRole(async () => {})(ctx);
    })(ctx);
}

/** Returns the logged-in user on a route that `requireRole` guards. */
export function actingUser(ctx: RequestContext): LoggedInUser {
  const user = ctx.state.webSession.loggedInUser();
  if (user === undefined) throw new Error(`requireRole does not guard ${ctx.path}`);
  return user;
}
