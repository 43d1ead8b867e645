import type { EventOf } from '../../../domain/events.ts';
import {
  REGISTERED_GRANTS,
  type ClientType,
  type RegisteredGrant,
  type RestrictedScope,
} from '../../../domain/values.ts';
import type { RecordedEvent } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../rule.ts';

/** What a client's stream has said. */
export interface ClientRecord {
  clientType: ClientType;
  grantTypes: readonly RegisteredGrant[];
  restrictedScopes: readonly RestrictedScope[];
  /** For grants it is not registered for and restricted scopes it is not allowed any more: since when, in milliseconds since the epoch. */
  readonly lostAt: Map<RegisteredGrant | RestrictedScope, number>;
  /**
   * When the newest secret that lived on beside its successor ended, or will: milliseconds since the epoch. Null when there
   * never was one.
   */
  overlapEndsAt: number | null;
  /** When its secret was last rotated, in seconds since the epoch; null when it never was. */
  rotatedAt: number | null;
  /** Whether its secret is kept as it was when it was registered. */
  hasOriginalHash: boolean;
  /** Milliseconds since the epoch; null while it is registered. */
  removedAt: number | null;
}

export interface ClientHistory {
  /** Undefined when it was never registered. */
  find(clientId: string): Readonly<ClientRecord> | undefined;
  apply(fact: AuditedEvent): void;
}

export function createClientHistory(): ClientHistory {
  const byId = new Map<string, ClientRecord>();

  function update(
    notes: ClientRecord,
    { clientType, grantTypes, restrictedScopes }: EventOf<'ClientUpdated'>['data'],
    at: number,
  ): void {
    for (const grant of notes.grantTypes) if (!grantTypes.includes(grant)) notes.lostAt.set(grant, at);
    for (const scope of notes.restrictedScopes) if (!restrictedScopes.includes(scope)) notes.lostAt.set(scope, at);
    notes.grantTypes = grantTypes;
    notes.restrictedScopes = restrictedScopes;
    notes.clientType = clientType;
  }

  return {
    find: (clientId) => byId.get(clientId),
    apply({ event: { type, data }, recorded }) {
      if (type === 'ClientRegistered') {
        const { clientType, grantTypes, restrictedScopes } = data;
        byId.set(data.clientId, {
          clientType,
          grantTypes,
          restrictedScopes,
          lostAt: new Map(),
          overlapEndsAt: null,
          rotatedAt: null,
          hasOriginalHash: true,
          removedAt: null,
        });
      }
      if (type === 'ClockSetBack') for (const client of byId.values()) endOverlapStartedAhead(client, data);
      const notes = byId.get(clientIdFromStream(recorded));
      if (notes === undefined) return;
      if (type === 'ClientUpdated') update(notes, data, recorded.recordedAt);
      if (type === 'ClientSecretRotated') {
        notes.overlapEndsAt = overlapEnd(notes, data, recorded.recordedAt);
        notes.rotatedAt = Math.floor(recorded.recordedAt / 1000);
      }
      if (type === 'ClientSecretRotated' || type === 'ClientSecretRehashed') notes.hasOriginalHash = false;
      if (type === 'ClientRemoved') notes.removedAt ??= recorded.recordedAt;
    },
  };
}

/** A rotation without an overlap ends the one that another rotation began. */
function overlapEnd(
  before: ClientRecord,
  { previousUntil }: EventOf<'ClientSecretRotated'>['data'],
  at: number,
): number | null {
  if (previousUntil !== null) return previousUntil * 1000;
  return before.overlapEndsAt === null ? null : Math.min(before.overlapEndsAt, at);
}

/** An overlap that a clock which was ahead began ends when the clock is set back. */
function endOverlapStartedAhead(
  client: ClientRecord,
  { setBackTo, issuedAfter }: EventOf<'ClockSetBack'>['data'],
): void {
  const { rotatedAt, overlapEndsAt } = client;
  if (rotatedAt === null || overlapEndsAt === null || rotatedAt <= issuedAfter) return;
  client.overlapEndsAt = Math.min(overlapEndsAt, setBackTo * 1000);
}

/** The client whose stream the event is in. */
export function clientIdFromStream({ stream }: Pick<RecordedEvent, 'stream'>): string {
  return stream.slice('client-'.length);
}

/** The grants of which the client must be registered for one, or none are asked: what is issued follows from something that was. */
export function requiredGrants({ type, data }: AuditedEvent['event']): readonly RegisteredGrant[] | undefined {
  if (type === 'ConsentGiven') return [data.basis === 'password' ? 'password' : 'authorization-code'];
  if (type === 'AuthorizationCodeRedeemed') return ['authorization-code'];
  if (type === 'AccessTokenIssued' && data.userId === null) return ['client-credentials'];
  if (type === 'RefreshTokenRotated') return REGISTERED_GRANTS.filter((grant) => grant !== 'client-credentials');
  return undefined;
}
