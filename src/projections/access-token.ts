import type { Confirmation } from '../domain/confirmation.ts';
import type { Resources } from '../domain/resource.ts';
import type { Scope } from '../domain/scope.ts';
import type { ClientId, EpochSeconds, GrantId, UserId } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';

/** An issued access token. */
export interface AccessToken {
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  /** The resource owner, or null if the client acts on its own behalf. */
  readonly userId: UserId | null;
  readonly scope: Scope;
  /** The resource servers that it is restricted to (RFC 8707); empty if it is not restricted. */
  readonly resource: Resources;
  /** Present if it was exchanged for another token (RFC 8693). */
  readonly exchanged?: true | undefined;
  /** The key or certificate that its sender must possess; absent for a bearer token. */
  readonly confirmation?: Confirmation | undefined;
  readonly expiresAt: EpochSeconds;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly issuedPosition: Position;
  /** The position of the refresh that shortened its lifetime, if any. */
  readonly retiredPosition?: Position | undefined;
}
