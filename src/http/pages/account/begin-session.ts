import type { AuthenticatedUser } from '../../../accounts/authenticated-user.ts';
import { AuthenticationUsed } from '../../../accounts/authentication-used.ts';
import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import { rememberBrowser } from '../../pipeline/browser-cookie.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Shown if the account changed between the check of the credentials and the start of the session. */
export const ACCOUNT_CHANGED = message('login.account-changed');

/**
 * Starts a session and remembers that the user has logged in with this browser, unless the user must complete a second
 * step first.
 * @throws AuthenticationUsed if the authentication may start only one session and has already started it
 * @returns the address to redirect to: `next`, or the page of the second step; undefined if no session was started,
 *   because the account has changed since the authentication
 */
export async function beginSession(
  ctx: RequestContext,
  authentication: AuthenticatedUser,
  mintBrowserId: () => string,
  next: string,
): Promise<string | undefined> {
  const outcome = await ctx.state.webSession.logIn(authentication);
  if (outcome === 'second-step') return secondStepAddress(next);
  if (outcome === 'account-changed') return undefined;
  rememberBrowser(ctx, authentication.user.userId, mintBrowserId);
  return next;
}

/**
 * Ends the user's other sessions that began without a second step, after two-step login was turned on in this session.
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

/**
 * Returns the address of the page for the second step. After that step, the user continues to `next`, an address on
 * this server.
 */
export function secondStepAddress(next: string): string {
  return `/accounts/login/second-step/?${new URLSearchParams({ next }).toString()}`;
}

/** Redirects a user who is logged in without a second step to the page of the second step. */
export function redirectToSecondStep(ctx: RequestContext, next: string): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(secondStepAddress(next));
}

/** Returns `used` if the error says that the authentication has already started a session. Rethrows other errors. */
export function toUsedOrRethrow(error: unknown): 'used' {
  if (error instanceof AuthenticationUsed) return 'used';
  throw error;
}
