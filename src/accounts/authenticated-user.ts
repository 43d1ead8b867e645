import type { Authentication } from '../domain/events.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { User } from '../projections/users.ts';

type WithoutTime<Variant extends Authentication> = Variant extends Authentication
  ? Omit<Variant, 'authenticatedAt'>
  : never;

/** How a user's credentials were checked, and the last log position that was known when they were read. */
export type CredentialCheck = WithoutTime<Authentication>;

/** A user who has just been authenticated, with the state of the account after the check. */
export interface AuthenticatedUser {
  readonly user: User;
  readonly check: CredentialCheck;
  /** The id of the only session that this authentication may start; undefined if it may start several. */
  readonly sessionId?: string;
  /** When the user authenticated at a provider, or for the session that this login continues; undefined means now. */
  readonly authenticatedAt?: EpochSeconds;
}
