import { isIssueTimeValid } from '../domain/clock.ts';
import type { EventOf } from '../domain/events.ts';
import { endsWithSession } from '../domain/login.ts';
import type { UserClaim } from '../domain/profile.ts';
import type { Resources } from '../domain/resource.ts';
import type { Scope } from '../domain/scope.ts';
import type { ClientId, EpochSeconds, GrantId, UserId } from '../domain/values.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import type { AssertedGrants } from './asserted-grants.ts';
import { handleEvents } from './event-handlers.ts';
import { createGrantIndex, countGrants, firstGrants, type FirstGrants, type GrantCount } from './grant-index.ts';
import { createExpiryBuckets, isInExpiredBucket } from './expiry-buckets.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';
import { sessionHashOf, sessionPasskey } from './sessions.ts';
import { clientIdOf } from './clients.ts';
import {
  findCurrentGrant,
  extendGrant,
  includes,
  isCurrent,
  isUsable,
  NEVER_USABLE,
  latestIssueTimeOf,
  type AssertedGrantData,
  type InitialGrantData,
  type EndingSession,
  type LiveGrant,
  type ManagedGrant,
  type StartedSessions,
} from './live-grant.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/**
 * The grants of users. A grant ends when it is revoked or expires, its client or trusted issuer is removed, its user is
 * disabled or erased, or the clock is set back to before its last use. An OpenID Connect grant without `offline_access`
 * also ends with its session, unless the session merely expires. Tokens issued after a grant has ended are invalid.
 * Times are in seconds since the epoch.
 */
export interface Grants extends Projection {
  isLive(grantId: GrantId): boolean;
  /** Reports whether the grant is live, and was neither granted nor last used while the clock was ahead of `now`. */
  isLiveAt(grantId: GrantId, now: number): boolean;
  find(grantId: GrantId): LiveGrant | undefined;
  /** Returns the current grant with the managed id: the latest one whose code was redeemed. */
  findManaged(managedId: string): ManagedGrant | undefined;
  /** Yields all grants that have valid tokens and, if `withCodes` is true, those with only a code. */
  all(now: number, withCodes?: boolean): Iterable<LiveGrant>;
  /** Returns the user's grants that have valid tokens. */
  listByUser(userId: UserId, now: number): readonly LiveGrant[];
  /** Returns the user's live grants that depend on the session or began in it, including grants with only a code. */
  listBySession(userId: UserId, sessionHash: string): readonly LiveGrant[];
  /** Returns the ids of the user's live grants, to `clientId` or to all clients, including grants with only a code. */
  listIds(userId: UserId, clientId?: ClientId): readonly GrantId[];
  /** Counts the client's grants with valid tokens, and their users. Examines at most `maxGrants` grants. */
  countByClient(clientId: ClientId, now: number, maxGrants: number): GrantCount;
  /** Returns the client's grants that have valid tokens, among its first `maxGrants` grants. */
  listByClient(clientId: ClientId, now: number, maxGrants: number): FirstGrants;
  /**
   * Reports whether a single live grant from the user to the client covers the whole scope, the resource servers and
   * the claims.
   */
  covers(
    userId: UserId,
    clientId: ClientId,
    scope: Scope,
    resource: Resources,
    now: number,
    claims?: readonly UserClaim[],
  ): boolean;
}

type Code = EventOf<'AuthorizationCodeIssued' | 'DeviceAuthorized'>['data'];
type Entry = LiveGrant | { readonly disabled: UserId } | { readonly removed: string };

/** A refresh in a grant's last second is recorded a little later, and the grant must not have been removed by then. */
const MARGIN_SECONDS = 300;

export function createGrants(sessions: StartedSessions, assertedGrants: Pick<AssertedGrants, 'listByIssuer'>): Grants {
  const liveGrants = new Map<GrantId, LiveGrant>();
  const byUser = createGrantIndex<UserId>();
  const byClient = createGrantIndex<string>();
  const byManagedId = createGrantIndex<string>(); // finds two grants during an update
  const [disabledUsers, removedClients] = [new Set<UserId>(), new Set<string>()];
  const expiry = createExpiryBuckets<GrantId>();

  function start(consent: InitialGrantData, event: RecordedEvent, issuer?: string): void {
    const { grantId, clientId, userId, scope, claims, details, login, management } = consent;
    const endsWith = sessionOf(consent);
    if (disabledUsers.has(userId) || removedClients.has(clientId) || endsWith === 'ended') return;
    add({
      grantId,
      clientId,
      userId,
      scope,
      ...(claims && { claims }),
      ...(details && { details }),
      ...(login && { login }),
      ...(endsWith && { endsWith }),
      ...(management && { management }),
      ...(issuer !== undefined && { issuer }),
      grantedAt: recordedSecond(event),
      grantedPosition: event.position,
      lastTokensAt: null,
      expiresAt: NEVER_USABLE,
    });
  }

  function startAsserted(data: AssertedGrantData, issuer: string, event: RecordedEvent): void {
    const { grantId, clientId, userId, scope, resource } = data;
    if (userId !== null) start({ grantId, clientId, userId, scope }, event, issuer);
    restrict(grantId, resource);
  }

  /** Returns the session that the grant ends with: undefined if none, `ended` if it ended before the consent. */
  function sessionOf(consent: InitialGrantData): EndingSession | 'ended' | undefined {
    return endsWithSession(consent) ? (findSession(consent.login.sessionHash) ?? 'ended') : undefined;
  }

  function findSession(sessionHash: string): EndingSession | undefined {
    const session = sessions.findStarted(sessionHash);
    return session && { sessionHash, passkeyId: sessionPasskey(session) };
  }

  /** Ends the user's grants that depend on the sessions that `isEnded` selects, or moves them to the `next` session. */
  function endSessionGrants(userId: UserId, isEnded: (session: EndingSession) => boolean, next?: EndingSession): void {
    for (const grantId of byUser.get(userId)) {
      const grant = liveGrants.get(grantId);
      if (grant?.endsWith === undefined || !isEnded(grant.endsWith)) continue;
      if (next === undefined) end(grantId);
      else liveGrants.set(grantId, { ...grant, endsWith: next });
    }
  }

  function endGrantsOfSession({ userId, continuedBy }: EventOf<'SessionEnded'>['data'], event: RecordedEvent): void {
    const nextSession = continuedBy === undefined ? undefined : findSession(continuedBy);
    const endedHash = sessionHashOf(event);
    endSessionGrants(userId, ({ sessionHash }) => sessionHash === endedHash, nextSession);
  }

  /** Ends the grants of expired sessions as well, because the user wants to be logged out everywhere. */
  const endGrantsOfAllSessions = ({ userId }: { readonly userId: UserId }): void =>
    endSessionGrants(userId, () => true);

  const grantsOfUser = (userId: UserId): readonly LiveGrant[] =>
    [...byUser.get(userId)].flatMap((id) => liveGrants.get(id) ?? []);

  const grantsOfClient: Grants['listByClient'] = (clientId, now, maxGrants) =>
    firstGrants(byClient.get(clientId), maxGrants, (id) => {
      const grant = liveGrants.get(id);
      return grant !== undefined && isUsable(grant, now) ? grant : undefined;
    });

  function add(grant: LiveGrant): void {
    const { grantId, clientId, userId, management } = grant;
    liveGrants.set(grantId, grant);
    byUser.add(userId, grantId);
    byClient.add(clientId, grantId);
    if (management !== undefined) byManagedId.add(management.grantId, grantId);
  }

  function restrict(grantId: GrantId, resource: Resources | undefined): void {
    const grant = liveGrants.get(grantId);
    if (grant !== undefined && resource !== undefined) liveGrants.set(grantId, { ...grant, resource });
  }

  /** Retains the grant at least until `expiresAt`, the expiry of a code or of the tokens issued at `lastTokensAt`. */
  function extend(grantId: GrantId, expiresAt: EpochSeconds | null, lastTokensAt: number | null): void {
    const grant = liveGrants.get(grantId);
    if (grant === undefined) return;
    const latest =
      expiresAt === null || grant.expiresAt === null ? null : (Math.max(grant.expiresAt, expiresAt) as EpochSeconds);
    // The other token from the same refresh has already extended the grant.
    if (latest === grant.expiresAt && lastTokensAt === grant.lastTokensAt) return;
    liveGrants.set(grantId, extendGrant(grant, latest, lastTokensAt));
    // Added only once: when that entry is due, `endExpiredGrants` adds the new expiry, so refreshes add no entries.
    if (latest !== null && grant.expiresAt === NEVER_USABLE) expiry.add(grant.grantId, latest);
  }

  function end(grantId: GrantId): void {
    const grant = liveGrants.get(grantId);
    if (grant === undefined) return;
    liveGrants.delete(grantId);
    byUser.remove(grant.userId, grantId);
    byClient.remove(grant.clientId, grantId);
    if (grant.management !== undefined) byManagedId.remove(grant.management.grantId, grantId);
  }

  function endExpiredGrants(now: number): void {
    const latestExpiry = now - MARGIN_SECONDS;
    expiry.expire(latestExpiry, (grantId) => {
      const expiresAt = liveGrants.get(grantId)?.expiresAt;
      if (typeof expiresAt !== 'number') return;
      // Only the current expiry decides, so that a restored snapshot behaves the same.
      if (isInExpiredBucket(expiresAt, latestExpiry)) end(grantId);
      else expiry.add(grantId, expiresAt);
    });
  }

  function extendForTokens({ expiresAt }: { readonly expiresAt: EpochSeconds | null }, event: RecordedEvent): void {
    extend(streamGrantId(event), expiresAt, recordedSecond(event));
  }

  function extendForCode({ resource, expiresAt }: Pick<Code, 'resource' | 'expiresAt'>, event: RecordedEvent): void {
    restrict(streamGrantId(event), resource);
    extend(streamGrantId(event), expiresAt, null);
  }

  function endGrantsOfUser({ userId }: { readonly userId: UserId }): void {
    disabledUsers.add(userId);
    byUser.get(userId).forEach(end);
  }

  const handlers = handleEvents<'grants'>({
    ConsentGiven: start,
    AssertionRedeemed: (data, event) => startAsserted(data, data.issuer, event),
    TokenExchanged: (data, event) => 'issuer' in data.parent && startAsserted(data, data.parent.issuer, event),
    TrustedIssuerRemoved: ({ issuer }) => [...assertedGrants.listByIssuer(issuer)].forEach(end),
    AuthorizationCodeIssued: extendForCode,
    DeviceAuthorized: extendForCode,
    RefreshTokenIssued(data, event) {
      restrict(streamGrantId(event), data.resource);
      extendForTokens(data, event);
    },
    AccessTokenIssued: extendForTokens,
    RefreshTokenRotated: extendForTokens,
    GrantRevoked: (_data, event) => end(streamGrantId(event)),
    ClientRemoved(_data, event) {
      removedClients.add(clientIdOf(event));
      byClient.get(clientIdOf(event)).forEach(end);
    },
    UserDisabled: endGrantsOfUser,
    UserErased: endGrantsOfUser,
    UserEnabled: ({ userId }) => void disabledUsers.delete(userId),
    SessionEnded: endGrantsOfSession,
    AllSessionsEnded: endGrantsOfAllSessions,
    PasswordChanged: endGrantsOfAllSessions,
    PasskeyRemoved: ({ userId, passkeyId: removedId }) =>
      endSessionGrants(userId, ({ passkeyId }) => passkeyId === removedId),
    ClockSetBack({ issuedAfter }) {
      for (const [grantId, grant] of liveGrants) if (latestIssueTimeOf(grant) > issuedAfter) end(grantId);
    },
  });

  return {
    name: 'grants',
    isLive: (grantId) => liveGrants.has(grantId),
    isLiveAt(grantId, now) {
      const grant = liveGrants.get(grantId);
      return grant !== undefined && isIssueTimeValid(latestIssueTimeOf(grant), now);
    },
    find: (grantId) => liveGrants.get(grantId),
    findManaged: (managedId) => findCurrentGrant(byManagedId.get(managedId), liveGrants),
    *all(now, withCodes = false) {
      for (const grant of liveGrants.values())
        if ((withCodes || isUsable(grant, now)) && isCurrent(grant, now)) yield grant;
    },
    listByUser: (userId, now) => grantsOfUser(userId).filter((grant) => isUsable(grant, now)),
    listBySession: (userId, sessionHash) =>
      grantsOfUser(userId).filter(({ login, endsWith }) => (endsWith ?? login)?.sessionHash === sessionHash),
    listIds: (userId, clientId) =>
      [...byUser.get(userId)].filter((id) => clientId === undefined || liveGrants.get(id)?.clientId === clientId),
    countByClient: (clientId, now, maxGrants) => countGrants(grantsOfClient(clientId, now, maxGrants)),
    listByClient: grantsOfClient,
    covers: (userId, clientId, scope, resource, now, claims = []) =>
      grantsOfUser(userId).some(
        (grant) => grant.clientId === clientId && isUsable(grant, now) && includes(grant, scope, resource, claims),
      ),
    *contents() {
      yield* liveGrants.values();
      yield* [[...disabledUsers], [...removedClients]];
    },
    freeze: () =>
      jsonPieces([
        ...[...disabledUsers].map((userId): Entry => ({ disabled: userId })),
        ...[...removedClients].map((clientId): Entry => ({ removed: clientId })),
        ...liveGrants.values(),
      ]),
    restore(piece) {
      for (const entry of parseEntries<Entry>(piece))
        if ('disabled' in entry) disabledUsers.add(entry.disabled);
        else if ('removed' in entry) removedClients.add(entry.removed);
        else {
          add(entry);
          if (entry.expiresAt !== null && entry.expiresAt !== NEVER_USABLE) expiry.add(entry.grantId, entry.expiresAt);
        }
    },

    apply(event) {
      endExpiredGrants(event.recordedAt / 1000);
      handlers.apply(event);
    },
  };
}

/** Returns the id of a grant from the name of its stream. */
export const streamGrantId = ({ stream }: RecordedEvent): GrantId => stream.slice('grant-'.length) as GrantId;
