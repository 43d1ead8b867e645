import type { Login } from '../domain/events.ts';
import type { EarlierExchange, Party } from '../domain/token-exchange.ts';
import type { ClientId, EpochSeconds, ExchangeMode, GrantId } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';

/** A token exchange (RFC 8693). Its grant has one access token. */
export interface Exchange extends Party {
  readonly grantId: GrantId;
  readonly mode: ExchangeMode;
  /**
   * The grant of the subject token, and the client that the token was issued to. For a JWT from another issuer, these
   * are the grant and the client of the exchange itself.
   */
  readonly parent: { readonly grantId: GrantId; readonly clientId: ClientId };
  /** The grant of the actor token; absent if there was no actor token or it was a JWT from another issuer. */
  readonly actor?: Party & { readonly grantId: GrantId };
  readonly chain: readonly Party[];
  readonly depth: number;
  readonly root: EarlierExchange['root'];
  /** The issuers of the JWTs in the exchange, if any. */
  readonly issuers?: readonly string[];
  /** The login behind the grant at the root; absent if the login was not recorded. */
  readonly login?: Login;
  readonly expiresAt: EpochSeconds;
  /** Seconds since the epoch. */
  readonly exchangedAt: number;
  readonly position: Position;
  /**
   * Whether its grant was revoked, or ended because a trusted issuer was removed or an actor's account was disabled or
   * erased. Does not consider the exchanges above this one, although it also ends when they end.
   */
  readonly isRevoked: boolean;
}
