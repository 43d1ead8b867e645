import type { Confirmation } from '../domain/confirmation.ts';
import type { Resources } from '../domain/resource.ts';
import type { Scope } from '../domain/scope.ts';
import type { ClientId, EpochSeconds, GrantId, UserId } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';

/** An issued access token. */
export interface AccessToken {
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  /** The user, or null if the client acts on its own behalf. */
  readonly userId: UserId | null;
  readonly scope: Scope;
  /** The resource servers that the token is restricted to (RFC 8707); empty if it is unrestricted. */
  readonly resource: Resources;
  /** Present if the token was issued in exchange for another token (RFC 8693). */
  readonly exchanged?: true | undefined;
  /** The key or certificate that the token's sender must possess; absent for a bearer token. */
  readonly confirmation?: Confirmation | undefined;
  readonly expiresAt: EpochSeconds;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly issuedPosition: Position;
  /** The position of the refresh that shortened the token's lifetime, if any. */
  readonly retiredPosition?: Position | undefined;
}
