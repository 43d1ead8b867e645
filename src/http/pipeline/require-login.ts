import type { LoggedInUser } from './web-session.ts';
import { PageError } from './page-error.ts';
import type { RequestContext } from './state.ts';

/** Sends the browser to the log-in page, and from there back to `target`, an address of this server. */
export function redirectToLogin(ctx: RequestContext, loginUrl: string, target: string): void {
  const separator = loginUrl.includes('?') ? '&' : '?';
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(`${loginUrl}${separator}${new URLSearchParams({ next: target }).toString()}`);
}

/**
 * Runs `show` for whoever is logged in; sends others to log in first, and back.
 * A form posted after the session has ended is refused: its fields do not survive the detour.
 */
export function requireLogin(
  loginUrl: string,
  show: (ctx: RequestContext, person: LoggedInUser) => void | Promise<void>,
) {
  return async (ctx: RequestContext): Promise<void> => {
    const person = ctx.state.webSession.loggedInUser();
    if (person !== undefined) return show(ctx, person);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw new PageError(403, 'You are not logged in', 'Nothing was changed.', 'Log in, then try again.');
    return redirectToLogin(ctx, loginUrl, ctx.url);
  };
}

/** `next` if it is an address of this server, and the home page otherwise: log-in is no open redirector. */
export function safeNext(next: string): string {
  const isPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.includes('\\');
  return isPath && new URL(next, 'http://here.invalid').origin === 'http://here.invalid' ? next : '/';
}
