import { decodeEvent } from '../domain/events.ts';
import type { Resources } from '../domain/resource.ts';
import { isRestricted, withoutForbidden, type Scope } from '../domain/scope.ts';
import { unreachable, type ClientId, type CredentialHash, type EpochSeconds, type GrantId, type RestrictedScope, type UserId } from '../domain/values.ts';
import type { Position, RecordedEvent } from '../eventsourcing/event-log.ts';
import type { Projection } from '../eventsourcing/projector.ts';
import { createExpiryBuckets } from './expiry-buckets.ts';

export interface AccessToken {
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  /** The resource owner; null for client credentials. */
  readonly userId: UserId | null;
  readonly scope: Scope;
  /** RFC 8707: where alone it is good; empty: everywhere. */
  readonly resource: Resources;
  readonly expiresAt: EpochSeconds;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly issuedPosition: Position;
}

/** Access tokens by hash, for the resource server. */
export interface AccessTokens extends Projection {
  /**
   * The token, if it can be used at `now` (seconds since the epoch): not expired, its grant, client and user not ended.
   * A restricted scope that its client is no longer allowed is not among its scopes.
   */
  find(tokenHash: CredentialHash, now: number): AccessToken | undefined;
  /** All that `find` would find at `now`. */
  live(now: number): Iterable<AccessToken>;
  /** How many are held; expired ones go an hour later at the latest. */
  size(): number;
}

/** What the liveness of a token hangs on besides its own expiry; kept by other projections, fed before this one. */
export interface Liveness {
  isGrantLive(grantId: GrantId): boolean;
  isClientRegistered(clientId: ClientId): boolean;
  restrictedScopesOf(clientId: ClientId): readonly RestrictedScope[];
}

export function createAccessTokens({ isGrantLive, isClientRegistered, restrictedScopesOf }: Liveness): AccessTokens {
  const byHash = new Map<CredentialHash, AccessToken>();
  /** Tokens of clients that act for themselves: one a grant, revoked by its grant's event. */
  const ofClientGrant = new Map<GrantId, CredentialHash>();
  const expiry = createExpiryBuckets<CredentialHash>();

  /**
   * A user's or client's tokens all end with the one event that ends their grant or client, which
   * this projection need not see: nothing is walked then, and look-ups ask.
   */
  function isUsable(token: AccessToken): boolean {
    return isClientRegistered(token.clientId) && (token.userId === null || isGrantLive(token.grantId));
  }

  function asAllowed(token: AccessToken): AccessToken {
    if (!token.scope.some(isRestricted)) return token; // nearly all: their client need not be looked up
    const scope = withoutForbidden(token.scope, restrictedScopesOf(token.clientId));
    return scope === token.scope ? token : { ...token, scope };
  }

  function remember(event: RecordedEvent, tokenHash: CredentialHash, token: Omit<AccessToken, 'issuedAt' | 'issuedPosition'>): void {
    const issued = { ...token, issuedAt: Math.floor(event.recordedAt / 1000), issuedPosition: event.position };
    if (!isUsable(issued)) return;
    byHash.set(tokenHash, issued);
    if (token.userId === null) ofClientGrant.set(token.grantId, tokenHash);
    expiry.add(tokenHash, token.expiresAt);
  }

  function forget(tokenHash: CredentialHash): void {
    const token = byHash.get(tokenHash);
    if (token === undefined) return;
    byHash.delete(tokenHash);
    if (token.userId === null) ofClientGrant.delete(token.grantId);
  }

  return {
    name: 'access-tokens',
    find(tokenHash, now) {
      const token = byHash.get(tokenHash);
      return token !== undefined && now < token.expiresAt && isUsable(token) ? asAllowed(token) : undefined;
    },
    *live(now) {
      for (const token of byHash.values()) if (now < token.expiresAt && isUsable(token)) yield asAllowed(token);
    },
    size: () => byHash.size,
    contents: () => byHash,

    apply(event) {
      expiry.expire(event.recordedAt / 1000, forget);
      const { type, data } = decodeEvent(event);
      switch (type) {
        case 'AccessTokenIssued': {
          const { tokenHash, resource = [], ...token } = data;
          return remember(event, tokenHash, { ...token, resource });
        }
        case 'GrantRevoked': {
          const tokenHash = ofClientGrant.get(event.stream.slice('grant-'.length) as GrantId);
          if (tokenHash !== undefined) forget(tokenHash);
          return;
        }
        case 'ConsentGiven': case 'AuthorizationCodeIssued': case 'AuthorizationCodeRedeemed': case 'RefreshTokenIssued':
        case 'RefreshTokenRotated': case 'ClientRegistered': case 'ClientUpdated': case 'ClientSecretRotated': case 'ClientRemoved':
        case 'UserRegistered': case 'UserProfileChanged': case 'PasswordChanged': case 'UserDisabled': case 'UserEnabled':
        case 'UserErased': case 'AllSessionsEnded': case 'SessionStarted': case 'SessionEnded': case 'GroupCreated':
          return;
        default: return unreachable(type);
      }
    },
  };
}
