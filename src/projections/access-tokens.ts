import { isIssueTimeValid } from '../domain/clock.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import { isRestricted, withoutForbidden } from '../domain/scope.ts';
import type { ClientId, CredentialHash, GrantId, RestrictedScope, UserId } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import type { AccessToken } from './access-token.ts';
import { streamGrantId } from './grants.ts';
import { createTokenTable } from './token-table/token-table.ts';

/** Access tokens by hash. */
export interface AccessTokens extends Projection {
  /**
   * Returns the token if it is valid at `now` (seconds since the epoch): it has not expired, the clock was not ahead
   * when it was issued, its grant has not ended, and its client is enabled. Its scope excludes restricted scopes that
   * the client may no longer have or that the user can no longer delegate.
   */
  find(tokenHash: CredentialHash, now: number): AccessToken | undefined;
  /** Returns the token even if it is no longer valid. Expired tokens are removed after at most an hour. */
  findRetained(tokenHash: CredentialHash): AccessToken | undefined;
  /** Yields all tokens that are valid at `now`. */
  live(now: number): Iterable<AccessToken>;
  /** Yields all tokens that are valid at `now`, or will be valid again once a disabled client is enabled. */
  liveOrPaused(now: number): Iterable<AccessToken>;
  /**
   * Reports whether the grant was revoked or ended with a trusted issuer. This is forgotten once all tokens that
   * depend on the grant have expired.
   */
  hasGrantEnded(grantId: GrantId): boolean;
  /** Returns the number of tokens in memory, including revoked ones and expired ones that are not yet removed. */
  size(): number;
}

/** Reports on the dependencies of tokens, based on projections that receive each event before this one. */
export interface Liveness {
  isGrantLive(grantId: GrantId): boolean;
  /** Reports whether an exchange and everything it depends on are live. */
  isExchangeLive(grantId: GrantId): boolean;
  /** Like `isExchangeLive`, but clients may be disabled. */
  isExchangeLiveOrPaused(grantId: GrantId): boolean;
  isClientEnabled(clientId: ClientId): boolean;
  /** Reports whether the client is registered, even if it is disabled. */
  isClientRegistered(clientId: ClientId): boolean;
  /** Returns the ids of the grants that depend on the trusted issuer. */
  grantsOfIssuer(issuer: string): Iterable<GrantId>;
  /**
   * Reports whether a clock correction has ended credentials issued at this time (seconds since the epoch) and at this
   * position.
   */
  wasEndedByClock(issuedAt: number, position: Position): boolean;
  /** Returns the restricted scopes that the client currently has for the user, or for itself if `userId` is null. */
  restrictedScopesOf(clientId: ClientId, userId: UserId | null): readonly RestrictedScope[];
}

export function createAccessTokens(liveness: Liveness): AccessTokens {
  const { isGrantLive, isExchangeLive, isClientEnabled, wasEndedByClock, restrictedScopesOf } = liveness;
  const table = createTokenTable();

  /**
   * Tokens are not removed when their grant ends or their client is disabled. Each lookup checks both instead, so that
   * no event has to update many tokens.
   */
  function isUsable(token: AccessToken): boolean {
    if (token.exchanged === true) return isExchangeLive(token.grantId);
    return isClientEnabled(token.clientId) && (token.userId === null || isGrantLive(token.grantId));
  }

  function isUsableOrPaused(token: AccessToken): boolean {
    if (token.exchanged === true) return liveness.isExchangeLiveOrPaused(token.grantId);
    return liveness.isClientRegistered(token.clientId) && (token.userId === null || isGrantLive(token.grantId));
  }

  function isWithinLifetime({ issuedAt, issuedPosition, expiresAt }: AccessToken, now: number): boolean {
    return now < expiresAt && isIssueTimeValid(issuedAt, now) && !wasEndedByClock(issuedAt, issuedPosition);
  }

  function restrictScope(token: AccessToken): AccessToken {
    if (!token.scope.some(isRestricted)) return token; // avoids looking up the client and user of nearly all tokens
    const scope = withoutForbidden(token.scope, restrictedScopesOf(token.clientId, token.userId));
    return scope === token.scope ? token : { ...token, scope };
  }

  const handlers = handleEvents<'access-tokens'>({
    AccessTokenIssued(data, event) {
      const { tokenHash, grantId, clientId, userId, scope, resource = [], exchanged, confirmation, expiresAt } = data;
      const issuedAt = recordedSecond(event);
      const token = {
        grantId,
        clientId,
        userId,
        scope,
        resource,
        exchanged,
        confirmation,
        expiresAt,
        issuedAt,
        issuedPosition: event.position,
      };
      if (isUsable(token)) table.insert(tokenHash, token);
    },
    RefreshTokenRotated({ retired }, event) {
      if (retired !== undefined) table.retire(retired.tokenHash, retired.endsAt, event.position);
    },
    GrantRevoked: (_data, event) => table.endGrant(streamGrantId(event)),
    TrustedIssuerRemoved: ({ issuer }) => [...liveness.grantsOfIssuer(issuer)].forEach(table.endGrant),
  });

  return {
    name: 'access-tokens',
    find(tokenHash, now) {
      const token = table.find(tokenHash);
      return token !== undefined && isWithinLifetime(token, now) && isUsable(token) ? restrictScope(token) : undefined;
    },
    findRetained: table.findRetained,
    *live(now) {
      for (const [, token] of table.entries())
        if (isWithinLifetime(token, now) && isUsable(token)) yield restrictScope(token);
    },
    *liveOrPaused(now) {
      for (const [, token] of table.entries())
        if (isWithinLifetime(token, now) && isUsableOrPaused(token)) yield restrictScope(token);
    },
    hasGrantEnded: table.hasEnded,
    size: table.size,
    contents: table.entries,
    freeze: table.freeze,
    restore: table.restore,

    apply(event) {
      table.expire(event.recordedAt / 1000);
      handlers.apply(event);
    },
  };
}
