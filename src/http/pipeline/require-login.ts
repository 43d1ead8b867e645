import { message } from '../../language/message.ts';
import type { LoggedInUser } from './web-session.ts';
import { PageError } from './page-error.ts';
import type { RequestContext } from './state.ts';

/**
 * Redirects to the login page. After the login, the browser continues to `target`, a URL on this server.
 * @param hint a hint about the user for the login page, such as a user name
 */
export function redirectToLogin(ctx: RequestContext, loginUrl: string, target: string, hint?: string): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(loginUrlWithNext(loginUrl, target, hint));
}

/** Returns the URL of the login page with a query that makes the browser continue to `target` after the login. */
export function loginUrlWithNext(loginUrl: string, target: string, hint?: string): string {
  const separator = loginUrl.includes('?') ? '&' : '?';
  const query = { next: target, ...(hint === undefined ? {} : { login_hint: hint }) };
  return `${loginUrl}${separator}${new URLSearchParams(query).toString()}`;
}

/**
 * Returns a handler that runs `handle` for logged-in users, and redirects anonymous users to the login page. A form
 * that is posted after the session has ended is refused instead, because a redirect would lose the form's fields.
 */
export function requireLogin(
  loginUrl: string,
  handle: (ctx: RequestContext, caller: LoggedInUser) => void | Promise<void>,
) {
  return async (ctx: RequestContext): Promise<void> => {
    const caller = ctx.state.webSession.loggedInUser();
    if (caller !== undefined) {
      ctx.state.admittedUser = { username: caller.user.username, roles: caller.user.roles };
      return handle(ctx, caller);
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw notLoggedInError();
    return redirectToLogin(ctx, loginUrl, ctx.url);
  };
}

function notLoggedInError(): PageError {
  const [title, advice] = [message('error.not-logged-in'), message('error.not-logged-in.advice')];
  return new PageError(403, title, message('error.nothing-changed'), advice, undefined, [], ['login']);
}

/**
 * Returns `next` if it is a path on this server; otherwise, the path of the home page. The login page is therefore not
 * an open redirector.
 */
export function safeNext(next: string): string {
  const isLocalPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.includes('\\');
  return isLocalPath && new URL(next, 'http://here.invalid').origin === 'http://here.invalid' ? next : '/';
}
