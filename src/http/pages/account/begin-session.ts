import type { AuthenticatedUser } from '../../../accounts/authenticated-user.ts';
import { rememberBrowser } from '../../pipeline/browser-cookie.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Shown if the account changed between the check of the credentials and the start of the session. */
export const ACCOUNT_CHANGED =
  'Your account was changed while you were logging in, so you are not logged in. Please try again.';

/**
 * Starts a session and marks this browser as known to the user.
 * @throws AuthenticationUsed it may start only one session, and has started it before
 * @returns false if the account has changed since the user was authenticated; no session is started then
 */
export async function beginSession(
  ctx: RequestContext,
  authenticated: AuthenticatedUser,
  mintBrowserId: () => string,
): Promise<boolean> {
  const isLoggedIn = await ctx.state.webSession.logIn(authenticated);
  if (isLoggedIn) rememberBrowser(ctx, authenticated.user.userId, mintBrowserId);
  return isLoggedIn;
}
