import type { AuthenticatedUser } from '../../../accounts/authenticated-user.ts';
import { rememberBrowser } from '../../pipeline/browser-cookie.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** For a user whose credentials were right, and whose account was changed before the session began. */
export const ACCOUNT_CHANGED =
  'Your account was changed while you were logging in, so you are not logged in. Please try again.';

/**
 * Begins a session for the user, in a browser that is known again from then on.
 * @returns false when the account has changed too much since the user was authenticated: there is no session
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
