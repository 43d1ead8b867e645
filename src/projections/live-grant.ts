import type { RecordedDetail } from '../domain/authorization-details.ts';
import { isIssueTimeValid } from '../domain/clock.ts';
import { narrowResources, type Resources } from '../domain/resource.ts';
import type { EventOf, GrantedClaims, Login, Management } from '../domain/events.ts';
import type { Mutable } from '../domain/mutable.ts';
import type { UserClaim } from '../domain/profile.ts';
import { isWithin, type Scope } from '../domain/scope.ts';
import type { ClientId, EpochSeconds, GrantId, PasskeyId, UserId } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';
import type { OpenSession } from './sessions.ts';

/** A session whose end also ends grants. */
export interface EndingSession {
  readonly sessionHash: string;
  /** The passkey that the session was started with, or null if it was started without a passkey. */
  readonly passkeyId: PasskeyId | null;
}

/** The part of a grant's first event that the grants projection needs. */
export type InitialGrantData = Pick<
  EventOf<'ConsentGiven'>['data'],
  'grantId' | 'clientId' | 'userId' | 'scope' | 'claims' | 'details' | 'login' | 'management'
>;

/**
 * A grant that started with a JWT from another issuer, in an assertion or an exchange. If the JWT is about a user, the
 * user can see and end the grant.
 */
export type AssertedGrantData = Pick<
  EventOf<'AssertionRedeemed'>['data'],
  'grantId' | 'clientId' | 'userId' | 'scope' | 'resource'
>;

/** The open sessions, from a projection that receives each event before the grants projection does. */
export interface StartedSessions {
  /** Returns undefined if the session has ended. Also finds sessions that have just expired. */
  findStarted(sessionHash: string): Pick<OpenSession, 'authentication'> | undefined;
}

/** A user's grant that has not ended. */
export interface LiveGrant {
  readonly grantId: GrantId;
  readonly clientId: ClientId;
  readonly userId: UserId;
  readonly scope: Scope;
  /** Absent if the grant is not restricted to resource servers. */
  readonly resource?: Resources;
  /** Claims that the client gets individually rather than through a scope, if any. */
  readonly claims?: GrantedClaims;
  /** Its authorization details, if any. */
  readonly details?: readonly RecordedDetail[];
  /** The login behind the grant; absent if the login was not recorded. */
  readonly login?: Login;
  /** The session whose end ends the grant; absent if the grant outlives its session or has none. */
  readonly endsWith?: EndingSession;
  /** Seconds since the epoch. */
  readonly grantedAt: number;
  readonly grantedPosition: Position;
  /** The time when its latest tokens were issued, or null if only a code was issued. */
  readonly lastTokensAt: number | null;
  /** The expiry of its last credential, or null if it has a refresh token that does not expire. */
  readonly expiresAt: EpochSeconds | null;
  /** Absent if the client did not ask for grant management. */
  readonly management?: Management;
  /** The trusted issuer whose JWT started the grant; absent if the user consented. */
  readonly issuer?: string;
}

/** A grant that its client manages. */
export type ManagedGrant = LiveGrant & Required<Pick<LiveGrant, 'management'>>;

/**
 * Returns the latest live grant with one of these ids. Ignores grants under which no tokens were issued, and returns
 * undefined if no other grants exist.
 */
export function findCurrentGrant(
  grantIds: ReadonlySet<GrantId>,
  liveGrants: ReadonlyMap<GrantId, LiveGrant>,
): ManagedGrant | undefined {
  const [newest] = [...grantIds]
    .flatMap((grantId) => liveGrants.get(grantId) ?? [])
    .filter((grant) => grant.lastTokensAt !== null)
    .toSorted((a, b) => b.grantedPosition - a.grantedPosition);
  return newest?.management && { ...newest, management: newest.management };
}

/** The expiry of a grant until its first credential is issued, which happens in the same append as the consent. */
export const NEVER_USABLE = 0 as EpochSeconds;

/**
 * Returns the grant with a new expiry and a new time for its latest tokens. It is copied property by property, because
 * spreading grants of several shapes is ten times slower (`npm run bench -- micro`).
 */
export function extendGrant(grant: LiveGrant, expiresAt: EpochSeconds | null, lastTokensAt: number | null): LiveGrant {
  const { grantId, clientId, userId, scope, resource, claims, details, login, endsWith, grantedAt, grantedPosition } =
    grant;
  const { management, issuer } = grant;
  const extendedGrant: Mutable<LiveGrant> = {
    grantId,
    clientId,
    userId,
    scope,
    grantedAt,
    grantedPosition,
    lastTokensAt,
    expiresAt,
  };
  if (resource !== undefined) extendedGrant.resource = resource;
  if (claims !== undefined) extendedGrant.claims = claims;
  if (details !== undefined) extendedGrant.details = details;
  if (login !== undefined) extendedGrant.login = login;
  if (endsWith !== undefined) extendedGrant.endsWith = endsWith;
  if (management !== undefined) extendedGrant.management = management;
  if (issuer !== undefined) extendedGrant.issuer = issuer;
  return extendedGrant;
}

/** Reports whether the grant includes the whole scope, these resource servers and these individual claims. */
export function includes(grant: LiveGrant, scope: Scope, resource: Resources, claims: readonly UserClaim[]): boolean {
  return isWithin(scope, grant.scope) && includesResources(grant, resource) && includesClaims(grant, claims);
}

/** Reports whether the grant includes the resource servers. A request that names none asks for all of them. */
function includesResources({ resource: grantedResources = [] }: LiveGrant, requestedResources: Resources): boolean {
  return (
    grantedResources.length === 0 ||
    (requestedResources.length > 0 && narrowResources(requestedResources, grantedResources) !== undefined)
  );
}

/**
 * Reports whether the grant has not expired, and was neither granted nor last used while the clock was ahead of `now`.
 */
export function isCurrent(grant: LiveGrant, now: number): boolean {
  return (grant.expiresAt === null || now < grant.expiresAt) && isIssueTimeValid(latestIssueTimeOf(grant), now);
}

/** Reports whether tokens were issued under the grant and it has not expired. */
export function isUsable(grant: LiveGrant, now: number): boolean {
  return grant.lastTokensAt !== null && (grant.expiresAt === null || now < grant.expiresAt);
}

function includesClaims({ claims }: LiveGrant, names: readonly UserClaim[]): boolean {
  return names.every((name) => claims?.idToken.includes(name) === true || claims?.userinfo.includes(name) === true);
}

/** Returns the time when the grant was granted or its latest tokens were issued, whichever is later. */
export function latestIssueTimeOf({ grantedAt, lastTokensAt }: LiveGrant): number {
  return Math.max(grantedAt, lastTokensAt ?? grantedAt);
}
