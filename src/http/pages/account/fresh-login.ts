import type { AuthenticatedUser } from '../../../accounts/authenticated-user.ts';
import type { GuardedPasswords } from '../../../accounts/guarded-passwords.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { redirectToLogin } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { passwordSender } from './password-sender.ts';

type LoggedInHandler = (ctx: RequestContext, caller: LoggedInUser) => void | Promise<void>;

/** The path of the page that lists a user's ways to log in. */
export const WAYS_PATH = '/accounts/ways/';

const FRESH_LOGIN_SECONDS = 300;

/**
 * Reports whether the user logged in recently enough to make sensitive changes, such as unlinking an account. Without
 * this check, anyone at an unattended browser could make such changes.
 */
export function isFresh({ authenticatedAt }: Pick<LoggedInUser, 'authenticatedAt'>, now: EpochSeconds): boolean {
  return now - authenticatedAt < FRESH_LOGIN_SECONDS;
}

/**
 * Reports whether the user has a password with which to confirm sensitive changes. Users without a password need a
 * fresh login instead.
 */
export function hasPassword({ passwordHash }: Pick<LoggedInUser['user'], 'passwordHash'>): boolean {
  return passwordHash !== '';
}

/**
 * Wraps the handler of a form that asks for the password. A user with neither a password nor a fresh login must log in
 * again, and then returns to `target`.
 */
export function withPasswordOrFreshLogin(
  { loginUrl, now }: { readonly loginUrl: string; readonly now: () => EpochSeconds },
  target: string,
  handler: LoggedInHandler,
): LoggedInHandler {
  return (ctx, caller) =>
    hasPassword(caller.user) || isFresh(caller, now()) ? handler(ctx, caller) : redirectToLogin(ctx, loginUrl, target);
}

export interface ReauthenticationDeps {
  readonly passwords: Pick<GuardedPasswords, 'reauthenticate'>;
  readonly addressOf: (ctx: RequestContext) => string;
}

/** Resolves with undefined if the password is wrong. Users without a password need a fresh login instead. */
export async function reauthenticate(
  ctx: RequestContext,
  caller: LoggedInUser,
  password: string,
  deps: ReauthenticationDeps,
): Promise<Pick<AuthenticatedUser, 'user'> | undefined> {
  if (!hasPassword(caller.user)) return caller;
  return deps.passwords.reauthenticate(caller.user, password, passwordSender(ctx, deps));
}
