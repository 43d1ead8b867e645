import type { EpochSeconds } from '../../../domain/values.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';

/** The page with the ways in which a user logs in. */
export const WAYS = '/accounts/ways/';

const FRESH_SECONDS = 300;

/** Whether the login is recent enough to change how the user logs in, so that nobody does it in an unlocked browser. */
export function isFresh({ authenticatedAt }: Pick<LoggedInUser, 'authenticatedAt'>, now: EpochSeconds): boolean {
  return now - authenticatedAt < FRESH_SECONDS;
}
