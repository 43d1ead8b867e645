import type { Login } from '../domain/events.ts';
import type { EarlierExchange, Party } from '../domain/token-exchange.ts';
import type { ClientId, EpochSeconds, ExchangeMode, GrantId } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';

/** An exchange of a token (RFC 8693). Its grant has one access token. */
export interface Exchange extends Party {
  readonly grantId: GrantId;
  readonly mode: ExchangeMode;
  /** The grant of the subject token, and the client that it was issued to. */
  readonly parent: { readonly grantId: GrantId; readonly clientId: ClientId };
  /** The grant of the actor token; absent if there was none. */
  readonly actor?: Party & { readonly grantId: GrantId };
  readonly chain: readonly Party[];
  readonly depth: number;
  readonly root: EarlierExchange['root'];
  /** The login behind the grant at the root; absent if it is not recorded. */
  readonly login?: Login;
  readonly expiresAt: EpochSeconds;
  /** Seconds since the epoch. */
  readonly exchangedAt: number;
  readonly position: Position;
  /** Whether its own grant was revoked. It also ends with those above it. */
  readonly isRevoked: boolean;
}
