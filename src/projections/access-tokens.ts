import { isIssueTimeValid } from '../domain/clock.ts';
import { decodeEvent } from '../domain/events.ts';
import type { Resources } from '../domain/resource.ts';
import { isRestricted, withoutForbidden, type Scope } from '../domain/scope.ts';
import {
  unreachable,
  type ClientId,
  type CredentialHash,
  type EpochSeconds,
  type GrantId,
  type RestrictedScope,
  type UserId,
} from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { streamGrantId } from './grants.ts';
import { createTokenTable } from './token-table/token-table.ts';

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
  /** Where it was retired by a refresh, so that it ends sooner than it said. Left out for any other. */
  readonly retiredPosition?: Position | undefined;
}

/** Access tokens by hash, for the resource server. */
export interface AccessTokens extends Projection {
  /**
   * The token, if it can be used at `now` (seconds since the epoch): not expired, not issued by a clock that was ahead,
   * its grant, client and user not ended.
   * A restricted scope that its client is no longer allowed, or its user may no longer lend, is not among its scopes.
   */
  find(tokenHash: CredentialHash, now: number): AccessToken | undefined;
  /** The token, although it cannot be used any more, for as long as anything is held of it: an hour after it expired. */
  findRetained(tokenHash: CredentialHash): AccessToken | undefined;
  /** All that `find` would find at `now`. */
  live(now: number): Iterable<AccessToken>;
  /** How many are in memory: ended ones too, and expired and retired ones until an event of a later hour. */
  size(): number;
}

/** What the liveness of a token hangs on besides its own expiry; kept by other projections, fed before this one. */
export interface Liveness {
  isGrantLive(grantId: GrantId): boolean;
  isClientRegistered(clientId: ClientId): boolean;
  /** Whether setting the clock back has ended what was issued then (seconds since the epoch). */
  hasClockEnded(issuedAt: number, position: Position): boolean;
  /** Those that the client can hold for the user now; null: for itself. */
  restrictedScopesOf(clientId: ClientId, userId: UserId | null): readonly RestrictedScope[];
}

export function createAccessTokens(liveness: Liveness): AccessTokens {
  const { isGrantLive, isClientRegistered, hasClockEnded, restrictedScopesOf } = liveness;
  const table = createTokenTable();

  /**
   * A user's or client's tokens all end with the one event that ends their grant or client, which
   * this projection need not see: nothing is walked then, and look-ups ask.
   */
  function isUsable(token: AccessToken): boolean {
    return isClientRegistered(token.clientId) && (token.userId === null || isGrantLive(token.grantId));
  }

  function isWithinTime({ issuedAt, issuedPosition, expiresAt }: AccessToken, now: number): boolean {
    return now < expiresAt && isIssueTimeValid(issuedAt, now) && !hasClockEnded(issuedAt, issuedPosition);
  }

  function asAllowed(token: AccessToken): AccessToken {
    if (!token.scope.some(isRestricted)) return token; // nearly all: neither client nor user need be looked up
    const scope = withoutForbidden(token.scope, restrictedScopesOf(token.clientId, token.userId));
    return scope === token.scope ? token : { ...token, scope };
  }

  return {
    name: 'access-tokens',
    find(tokenHash, now) {
      const token = table.find(tokenHash);
      return token !== undefined && isWithinTime(token, now) && isUsable(token) ? asAllowed(token) : undefined;
    },
    findRetained: table.findRetained,
    *live(now) {
      for (const [, token] of table.entries()) if (isWithinTime(token, now) && isUsable(token)) yield asAllowed(token);
    },
    size: table.size,
    contents: table.entries,
    freeze: table.freeze,
    restore: table.restore,

    apply(event) {
      table.expire(event.recordedAt / 1000);
      const { type, data } = decodeEvent(event);
      switch (type) {
        case 'AccessTokenIssued': {
          const { tokenHash, grantId, clientId, userId, scope, resource = [], expiresAt } = data;
          const issuedAt = Math.floor(event.recordedAt / 1000);
          const token = {
            grantId,
            clientId,
            userId,
            scope,
            resource,
            expiresAt,
            issuedAt,
            issuedPosition: event.position,
          };
          if (isUsable(token)) table.insert(tokenHash, token);
          return;
        }
        case 'RefreshTokenRotated': {
          if (data.retired !== undefined) table.retire(data.retired.tokenHash, data.retired.endsAt, event.position);
          return;
        }
        case 'GrantRevoked': {
          table.endGrant(streamGrantId(event));
          return;
        }
        case 'ConsentGiven':
        case 'AuthorizationCodeIssued':
        case 'AuthorizationCodeRedeemed':
        case 'RefreshTokenIssued':
        case 'GrantSummarized':
        case 'ClientRegistered':
        case 'ClientUpdated':
        case 'ClientSecretRotated':
        case 'ClientSecretRehashed':
        case 'ClientRemoved':
        case 'UserRegistered':
        case 'UserProfileChanged':
        case 'PasswordChanged':
        case 'UserDisabled':
        case 'UserEnabled':
        case 'UserErased':
        case 'AllSessionsEnded':
        case 'SessionStarted':
        case 'SessionEnded':
        case 'PasswordRehashed':
        case 'GroupCreated':
        case 'UserRolesChanged':
        case 'PasskeyAdded':
        case 'PasskeyRemoved':
        case 'ClockSetBack':
          return;
        default:
          return unreachable(type);
      }
    },
  };
}
