import type { AuthenticatedUser } from '../../../accounts/authenticated-user.ts';
import { AuthenticationUsed } from '../../../accounts/authentication-used.ts';
import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import { rememberBrowser } from '../../pipeline/browser-cookie.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Shown if the account was changed after the credentials were verified and before the session started. */
export const ACCOUNT_CHANGED = message('login.account-changed');

/**
 * Starts a session and remembers that the user has logged in with this browser, unless the user must complete a second
 * step first.
 * @throws AuthenticationUsed if the authentication may start only one session and has already started it
 * @returns the path to redirect to: `next`, or the second-step page; undefined if no session was started, because the
 *   account has changed since the authentication
 */
export async function beginSession(
  ctx: RequestContext,
  authentication: AuthenticatedUser,
  mintBrowserId: () => string,
  next: string,
): Promise<string | undefined> {
  const outcome = await ctx.state.webSession.logIn(authentication);
  if (outcome === 'second-step') return secondStepPath(next);
  if (outcome === 'account-changed') return undefined;
  rememberBrowser(ctx, authentication.user.userId, mintBrowserId);
  return next;
}

/**
 * Ends the user's other sessions that began without a second factor, after the user turned on two-step login in this
 * session.
 */
export async function endSessionsWithoutSecondStep(
  ctx: RequestContext,
  { userId }: AuthenticatedUser['user'],
  { loginSessions, now }: EndingDeps,
): Promise<void> {
  const currentSession = ctx.state.webSession.loggedInUser()?.sessionHash;
  await loginSessions.endWithoutSecondStep(userId, currentSession, now(), ctx.state.metadata);
}

export interface EndingDeps {
  readonly loginSessions: Pick<LoginSessions, 'endWithoutSecondStep'>;
  readonly now: () => EpochSeconds;
}

/** Returns the path of the second-step page, from which the user continues to `next`, a path on this server. */
export function secondStepPath(next: string): string {
  return `/accounts/login/second-step/?${new URLSearchParams({ next }).toString()}`;
}

/** Redirects a user who logged in without a second factor to the second-step page. */
export function redirectToSecondStep(ctx: RequestContext, next: string): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(secondStepPath(next));
}

/** Returns `used` if the error says that the authentication has already started a session. Rethrows any other error. */
export function toUsedOrRethrow(error: unknown): 'used' {
  if (error instanceof AuthenticationUsed) return 'used';
  throw error;
}
