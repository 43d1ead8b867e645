import type { EventOf } from '../../../domain/events.ts';
import {
  REGISTERED_GRANTS,
  type ClientType,
  type RegisteredGrant,
  type RestrictedScope,
  type SigningAlgorithm,
} from '../../../domain/values.ts';
import type { RecordedEvent } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** The state of a client according to its stream. */
export interface ClientRecord {
  clientType: ClientType;
  grantTypes: readonly RegisteredGrant[];
  restrictedScopes: readonly RestrictedScope[];
  idTokenAlgorithm: SigningAlgorithm;
  /** When it lost a grant type, a restricted scope or an algorithm, in milliseconds since the epoch. */
  readonly lostAt: Map<RegisteredGrant | RestrictedScope | SigningAlgorithm, number>;
  /**
   * When its newest previous secret expires or expired, in milliseconds since the epoch; null if there never was one.
   */
  overlapEndsAt: number | null;
  /** When its secret was last rotated, in seconds since the epoch; null if it never was. */
  rotatedAt: number | null;
  /** Whether its secret still has the hash from its registration. */
  hasOriginalHash: boolean;
  /** Milliseconds since the epoch; null while it is registered. */
  removedAt: number | null;
}

export interface ClientHistory {
  /** Undefined if it was never registered. */
  find(clientId: string): Readonly<ClientRecord> | undefined;
  apply(audited: AuditedEvent): void;
}

export function createClientHistory(): ClientHistory {
  const byId = new Map<string, ClientRecord>();

  function update(
    client: ClientRecord,
    { clientType, grantTypes, restrictedScopes, openid }: EventOf<'ClientUpdated'>['data'],
    at: number,
  ): void {
    for (const grant of client.grantTypes) if (!grantTypes.includes(grant)) client.lostAt.set(grant, at);
    for (const scope of client.restrictedScopes) if (!restrictedScopes.includes(scope)) client.lostAt.set(scope, at);
    if (client.idTokenAlgorithm !== openid.idTokenAlgorithm) client.lostAt.set(client.idTokenAlgorithm, at);
    client.grantTypes = grantTypes;
    client.restrictedScopes = restrictedScopes;
    client.clientType = clientType;
    client.idTokenAlgorithm = openid.idTokenAlgorithm;
  }

  return {
    find: (clientId) => byId.get(clientId),
    apply({ event: { type, data }, recorded }) {
      if (type === 'ClientRegistered') {
        const { clientType, grantTypes, restrictedScopes, openid } = data;
        byId.set(data.clientId, {
          clientType,
          grantTypes,
          restrictedScopes,
          idTokenAlgorithm: openid.idTokenAlgorithm,
          lostAt: new Map(),
          overlapEndsAt: null,
          rotatedAt: null,
          hasOriginalHash: true,
          removedAt: null,
        });
      }
      if (type === 'ClockSetBack') for (const client of byId.values()) endOverlapStartedAhead(client, data);
      const client = byId.get(clientIdFromStream(recorded));
      if (client === undefined) return;
      if (type === 'ClientUpdated') update(client, data, recorded.recordedAt);
      if (type === 'ClientSecretRotated') {
        client.overlapEndsAt = overlapEnd(client, data, recorded.recordedAt);
        client.rotatedAt = Math.floor(recorded.recordedAt / 1000);
      }
      if (type === 'ClientSecretRotated' || type === 'ClientSecretRehashed') client.hasOriginalHash = false;
      if (type === 'ClientRemoved') client.removedAt ??= recorded.recordedAt;
    },
  };
}

/** A rotation without an overlap ends an earlier overlap. */
function overlapEnd(
  before: ClientRecord,
  { previousUntil }: EventOf<'ClientSecretRotated'>['data'],
  at: number,
): number | null {
  if (previousUntil !== null) return previousUntil * 1000;
  return before.overlapEndsAt === null ? null : Math.min(before.overlapEndsAt, at);
}

/** Setting the clock back ends an overlap that began while the clock was ahead. */
function endOverlapStartedAhead(
  client: ClientRecord,
  { setBackTo, issuedAfter }: EventOf<'ClockSetBack'>['data'],
): void {
  const { rotatedAt, overlapEndsAt } = client;
  if (rotatedAt === null || overlapEndsAt === null || rotatedAt <= issuedAfter) return;
  client.overlapEndsAt = Math.min(overlapEndsAt, setBackTo * 1000);
}

/** The client whose stream contains the event. */
export function clientIdFromStream({ stream }: Pick<RecordedEvent, 'stream'>): string {
  return stream.slice('client-'.length);
}

/** The grant types of which the client must have one; undefined if the event follows from one that was checked. */
export function requiredGrants({ type, data }: AuditedEvent['event']): readonly RegisteredGrant[] | undefined {
  if (type === 'ConsentGiven') return [data.basis === 'password' ? 'password' : 'authorization-code'];
  if (type === 'AuthorizationCodeRedeemed') return ['authorization-code'];
  if (type === 'AccessTokenIssued' && data.userId === null) return ['client-credentials'];
  if (type === 'RefreshTokenRotated') return REGISTERED_GRANTS.filter((grant) => grant !== 'client-credentials');
  return undefined;
}
