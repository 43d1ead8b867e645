import type { EventOf } from '../../../domain/events.ts';
import {
  SCOPED_GRANTS,
  type ClientMode,
  type ClientType,
  type KeyId,
  type MemberRole,
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
  skipAuthorization: boolean;
  secondFactorRequired: boolean;
  idTokenAlgorithm: SigningAlgorithm;
  /** The thumbprints of the keys that it may sign assertions with. */
  keys: readonly string[];
  /** Whether it publishes its keys. If so, no event contains them before they are used. */
  publishesKeys: boolean;
  /** When it stopped publishing its keys, in milliseconds since the epoch, or null if it never did. */
  stoppedPublishingAt: number | null;
  /** When it lost each of its earlier keys, in milliseconds since the epoch. */
  readonly lostKeys: Map<string, number>;
  /** When it lost a grant type, a restricted scope or an algorithm, in milliseconds since the epoch. */
  readonly lostAt: Map<RegisteredGrant | RestrictedScope | SigningAlgorithm, number>;
  /**
   * When its latest previous secret expires or expired, in milliseconds since the epoch, or null if there never was
   * one.
   */
  overlapEndsAt: number | null;
  /** When its secret was last rotated, in seconds since the epoch, or null if it never was. */
  rotatedAt: number | null;
  /** Whether its secret still has the hash from its registration. */
  hasOriginalHash: boolean;
  mode: ClientMode;
  /**
   * When it was last switched to test mode or lost a member, in milliseconds since the epoch, or null if neither
   * happened.
   */
  restrictedAt: number | null;
  /** The role of each member, including erased accounts. */
  readonly members: Map<string, MemberRole>;
  /** The hashes of the invitations that were accepted. */
  readonly acceptedInvitations: Set<string>;
  /** The hash of the latest accepted document that describes it, or null if it is registered here. */
  documentHash: string | null;
  /** When it was disabled, in milliseconds since the epoch, or null while it is enabled. */
  disabledAt: number | null;
  /** When it was removed, in milliseconds since the epoch, or null while it is registered. */
  removedAt: number | null;
}

export interface ClientHistory {
  /** Returns undefined if the client was never registered. */
  find(clientId: string): Readonly<ClientRecord> | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createClientHistory(): ClientHistory {
  const byId = new Map<string, ClientRecord>();

  function update(client: ClientRecord, settings: EventOf<'ClientUpdated'>['data'], at: number): void {
    const { clientType, grantTypes, restrictedScopes, openid, mode, authentication } = settings;
    for (const grant of client.grantTypes) if (!grantTypes.includes(grant)) client.lostAt.set(grant, at);
    for (const scope of client.restrictedScopes) if (!restrictedScopes.includes(scope)) client.lostAt.set(scope, at);
    if (client.idTokenAlgorithm !== openid.idTokenAlgorithm) client.lostAt.set(client.idTokenAlgorithm, at);
    const keys = authentication.keys.map(({ keyId }) => keyId);
    for (const key of client.keys) if (!keys.includes(key as KeyId)) client.lostKeys.set(key, at);
    client.keys = keys;
    const publishesKeys = authentication.keysUri !== null;
    if (client.publishesKeys && !publishesKeys) client.stoppedPublishingAt = at;
    client.publishesKeys = publishesKeys;
    client.grantTypes = grantTypes;
    client.restrictedScopes = restrictedScopes;
    client.skipAuthorization = settings.skipAuthorization;
    client.secondFactorRequired = settings.secondFactorRequired;
    client.clientType = clientType;
    if (mode === 'test' && client.mode === 'live') client.restrictedAt = at;
    client.mode = mode;
    client.idTokenAlgorithm = openid.idTokenAlgorithm;
  }

  return {
    find: (clientId) => byId.get(clientId),
    apply({ event: { type, data }, record }) {
      const existingClient = byId.get(clientIdFromStream(record));
      if (type === 'ClientDocumentAccepted' && existingClient !== undefined) {
        update(existingClient, data, record.recordedAt);
        existingClient.documentHash = data.hash;
      } else if (type === 'ClientRegistered' || type === 'ClientDocumentAccepted') {
        const { clientType, grantTypes, restrictedScopes, openid, authentication } = data;
        const { skipAuthorization, secondFactorRequired, mode } = data;
        byId.set(data.clientId, {
          clientType,
          grantTypes,
          restrictedScopes,
          skipAuthorization,
          secondFactorRequired,
          idTokenAlgorithm: openid.idTokenAlgorithm,
          keys: authentication.keys.map(({ keyId }) => keyId),
          publishesKeys: authentication.keysUri !== null,
          stoppedPublishingAt: null,
          lostKeys: new Map(),
          lostAt: new Map(),
          overlapEndsAt: null,
          rotatedAt: null,
          hasOriginalHash: true,
          mode,
          restrictedAt: null,
          members: new Map('ownerId' in data && data.ownerId !== null ? [[data.ownerId, 'owner']] : []),
          acceptedInvitations: new Set(),
          disabledAt: null,
          removedAt: null,
          documentHash: 'hash' in data ? data.hash : null,
        });
      }
      if (type === 'ClockSetBack') for (const client of byId.values()) endOverlapStartedAhead(client, data);
      const client = byId.get(clientIdFromStream(record));
      if (client === undefined) return;
      if (type === 'ClientUpdated') update(client, data, record.recordedAt);
      if (type === 'ClientSecretRotated') {
        client.overlapEndsAt = overlapEnd(client, data, record.recordedAt);
        client.rotatedAt = Math.floor(record.recordedAt / 1000);
      }
      if (type === 'ClientSecretRotated' || type === 'ClientSecretRehashed') client.hasOriginalHash = false;
      if (type === 'ClientMemberAdded') {
        client.members.set(data.userId, data.role);
        if (data.invitation !== null) client.acceptedInvitations.add(data.invitation.hash);
      }
      if (type === 'ClientMemberRemoved') {
        client.members.delete(data.userId);
        client.restrictedAt = record.recordedAt;
      }
      if (type === 'ClientDisabled') client.disabledAt = record.recordedAt;
      if (type === 'ClientEnabled') client.disabledAt = null;
      if (type === 'ClientRemoved') client.removedAt ??= record.recordedAt;
    },
  };
}

/** Returns when the overlap after a rotation ends. A rotation without an overlap ends an earlier overlap. */
function overlapEnd(
  client: ClientRecord,
  { previousUntil }: EventOf<'ClientSecretRotated'>['data'],
  at: number,
): number | null {
  if (previousUntil !== null) return previousUntil * 1000;
  return client.overlapEndsAt === null ? null : Math.min(client.overlapEndsAt, at);
}

/** Ends an overlap that began while the clock was ahead, because the clock was set back. */
function endOverlapStartedAhead(
  client: ClientRecord,
  { setBackTo, issuedAfter }: EventOf<'ClockSetBack'>['data'],
): void {
  const { rotatedAt, overlapEndsAt } = client;
  if (rotatedAt === null || overlapEndsAt === null || rotatedAt <= issuedAfter) return;
  client.overlapEndsAt = Math.min(overlapEndsAt, setBackTo * 1000);
}

/** Returns the id of the client whose stream contains the event. */
export function clientIdFromStream({ stream }: Pick<RecordedEvent, 'stream'>): string {
  return stream.slice('client-'.length);
}

const GRANT_BY_BASIS: Readonly<Partial<Record<EventOf<'ConsentGiven'>['data']['basis'], RegisteredGrant>>> = {
  password: 'password',
  device: 'device-code',
};

/**
 * Returns grant types; the client must have at least one of them. Returns undefined if the event itself requires none,
 * for example because it follows from an event that was already checked.
 */
export function requiredGrants({ type, data }: AuditedEvent['event']): readonly RegisteredGrant[] | undefined {
  if (type === 'ConsentGiven') return [GRANT_BY_BASIS[data.basis] ?? 'authorization-code'];
  if (type === 'DeviceDenied' || type === 'DeviceCodeRedeemed') return ['device-code'];
  if (type === 'TokenExchanged') return ['token-exchange'];
  if (type === 'AssertionRedeemed') return ['jwt-bearer'];
  if (type === 'AuthorizationCodeRedeemed') return ['authorization-code'];
  const isStandaloneToken = type === 'AccessTokenIssued' && data.exchanged === undefined && data.asserted === undefined;
  if (isStandaloneToken && data.userId === null) return ['client-credentials'];
  if (type === 'RefreshTokenRotated') return SCOPED_GRANTS.filter((grant) => grant !== 'client-credentials');
  return undefined;
}
