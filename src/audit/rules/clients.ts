import type { EventType } from '../../domain/events.ts';
import { RESTRICTED_SCOPES, type RegisteredGrant } from '../../domain/values.ts';
import { clientIdFromStream, requiredGrants, type ClientRecord } from './history/clients.ts';
import { isRedemption } from './history/grants.ts';
import type { History } from './history.ts';
import type { AuditedEvent } from './audited-event.ts';
import { finding, lateViolation, type EventRule, type Violation } from './rule.ts';

/**
 * Returns the id of the client whose code is redeemed or whose grant is refreshed, otherwise the client id in the
 * event. Ignores the ids in events that create a client and in summaries.
 */
function actingClientId({ event: { type, data }, record }: AuditedEvent, { grants }: History): string | undefined {
  if (isRedemption(type) || type === 'RefreshTokenRotated') return grants.inStream(record.stream)?.clientId;
  const createsClient = type === 'ClientRegistered' || type === 'ClientDocumentAccepted';
  return createsClient || type === 'GrantSummarized' || !('clientId' in data) ? undefined : data.clientId;
}

/**
 * Returns the key that a client authenticated with: the key that signed its assertion, or the key of its certificate.
 */
function authenticationKey({ type, data }: AuditedEvent['event']): { clientId: string; keyId: string } | undefined {
  if (type === 'ClientAssertionAccepted') return data;
  if (type !== 'AccessTokenIssued' || data.clientKeyId === undefined) return undefined;
  return { clientId: data.clientId, keyId: data.clientKeyId };
}

function checkRegisteredGrant(
  auditedEvent: AuditedEvent,
  client: ClientRecord,
  requiredGrantTypes: readonly RegisteredGrant[],
): Violation | undefined {
  if (requiredGrantTypes.some((grant) => client.grantTypes.includes(grant))) return undefined;
  const message = `${auditedEvent.event.type}: the client is not registered for ${requiredGrantTypes.join(' or ')}`;
  const lostAt = Math.max(...requiredGrantTypes.map((grant) => client.lostAt.get(grant) ?? -Infinity));
  return lostAt === -Infinity ? finding(message) : lateViolation(auditedEvent.record, lostAt, message);
}

/** Returns the scope that the event newly grants. Events that follow from it can only narrow this scope. */
function grantedScope({ type, data }: AuditedEvent['event']): readonly string[] {
  return type === 'ConsentGiven' || (type === 'AccessTokenIssued' && data.userId === null) ? data.scope : [];
}

function checkRestrictedScopes({ event, record }: AuditedEvent, client: ClientRecord): Violation | undefined {
  const scope = grantedScope(event);
  const forbiddenScopes = RESTRICTED_SCOPES.filter(
    (name) => scope.includes(name) && !client.restrictedScopes.includes(name),
  );
  if (forbiddenScopes.length === 0) return undefined;
  const message = `${event.type}: the client may not have ${forbiddenScopes.join(' and ')}`;
  const lostAt = Math.min(...forbiddenScopes.map((name) => client.lostAt.get(name) ?? -Infinity));
  return lostAt === -Infinity ? finding(message) : lateViolation(record, lostAt, message);
}

/** The magic number of each format, in base64. */
const LOGO_MAGIC_NUMBERS = {
  'image/png': /^iVBORw0KGgo/,
  'image/jpeg': /^\/9j\//,
  'image/webp': /^UklGR.{6}XRUJQ/,
} as const;

/** The types of the events that give a client access, or accept its authentication. */
const ISSUING_TYPES: ReadonlySet<string> = new Set([
  'ConsentGiven',
  'AuthorizationCodeIssued',
  'AuthorizationCodeRedeemed',
  'DeviceAuthorized',
  'DeviceCodeRedeemed',
  'TokenExchanged',
  'AssertionRedeemed',
  'AccessTokenIssued',
  'IdTokenIssued',
  'RefreshTokenIssued',
  'RefreshTokenRotated',
  'ClientAssertionAccepted',
] satisfies readonly EventType[]);

export const clientRules: readonly EventRule[] = [
  {
    name: 'a-client-lives-once',
    description: 'A client is registered before it is changed or removed, and does not change after its removal.',
    check({ event: { type }, record }, { clients }) {
      if (!record.stream.startsWith('client-') || type === 'ClientRegistered') return undefined;
      const client = clients.find(clientIdFromStream(record));
      if (client === undefined)
        return type === 'ClientDocumentAccepted' ? undefined : finding(`${type} before the client was registered`);
      return client.removedAt === null ? undefined : finding(`${type} after the client was removed`);
    },
  },
  {
    name: 'logos-are-images',
    description: 'The bytes of a logo begin as its media type requires, so that no browser treats it as anything else.',
    check({ event: { type, data } }) {
      if (type !== 'ClientLogoChanged' || data.image === null) return undefined;
      const { mediaType, base64 } = data.image;
      return LOGO_MAGIC_NUMBERS[mediaType].test(base64)
        ? undefined
        : finding(`the logo is not of the type ${mediaType}`);
    },
  },
  {
    name: 'only-registered-clients-are-served',
    description:
      'Nothing is issued to a client that was never registered or was removed; a violation up to a minute after the ' +
      'removal is a notice, because the decision may be older, and the issued credentials are invalid.',
    check(auditedEvent, history) {
      const clientId = actingClientId(auditedEvent, history);
      if (clientId === undefined) return undefined;
      const client = history.clients.find(clientId);
      if (client === undefined)
        return finding(`${auditedEvent.event.type} to client ${clientId}, which was never registered`);
      if (client.removedAt === null) return undefined;
      return lateViolation(
        auditedEvent.record,
        client.removedAt,
        `${auditedEvent.event.type} to client ${clientId}, which was removed`,
      );
    },
  },
  {
    name: 'disabled-clients-get-nothing',
    description:
      'Nothing is issued to a client while it is disabled; a violation up to a minute later is a notice, because the ' +
      'decision may be older.',
    check(auditedEvent, history) {
      const clientId = actingClientId(auditedEvent, history);
      const disabledAt = clientId === undefined ? undefined : history.clients.find(clientId)?.disabledAt;
      if (disabledAt === undefined || disabledAt === null || !ISSUING_TYPES.has(auditedEvent.event.type))
        return undefined;
      const message = `${auditedEvent.event.type} to client ${clientId}, which was disabled`;
      return lateViolation(auditedEvent.record, disabledAt, message);
    },
  },
  {
    name: 'a-client-is-disabled-once',
    description: 'A client is disabled while it is enabled, and enabled while it is disabled.',
    check({ event: { type }, record }, { clients }) {
      if (type !== 'ClientDisabled' && type !== 'ClientEnabled') return undefined;
      const isDisabled = (clients.find(clientIdFromStream(record))?.disabledAt ?? null) !== null;
      return isDisabled === (type === 'ClientDisabled')
        ? finding(`${type} for a client that is already in that state`)
        : undefined;
    },
  },
  {
    name: 'assertions-are-signed-by-registered-keys',
    description:
      'An assertion authenticates a client once, and only if it is signed with a key that the client had registered, ' +
      'or while the client published its keys at a jwks_uri, whose content is not in the log; the same applies to ' +
      'the key of a self-signed certificate; a violation up to a minute after the client lost the key is a notice, ' +
      'because the decision may be older.',
    check({ event, record }, { clients }) {
      const authentication = authenticationKey(event);
      if (authentication === undefined) return undefined;
      if (event.type === 'ClientAssertionAccepted' && record.revision > 1)
        return finding('the assertion was already accepted');
      const client = clients.find(authentication.clientId);
      if (client === undefined || client.publishesKeys || client.keys.includes(authentication.keyId)) return undefined;
      const message = `the key ${authentication.keyId} does not belong to the client`;
      const lostAt = client.lostKeys.get(authentication.keyId) ?? client.stoppedPublishingAt ?? undefined;
      return lostAt === undefined ? finding(message) : lateViolation(record, lostAt, message);
    },
  },
  {
    name: 'clients-use-what-they-are-registered-for',
    description:
      'A client uses only grant types that it is registered for; a violation up to a minute after it lost one is a ' +
      'notice, because the decision may be older.',
    check(auditedEvent, history) {
      const requiredGrantTypes = requiredGrants(auditedEvent.event);
      const clientId = requiredGrantTypes === undefined ? undefined : actingClientId(auditedEvent, history);
      const client = clientId === undefined ? undefined : history.clients.find(clientId);
      return client === undefined || requiredGrantTypes === undefined
        ? undefined
        : checkRegisteredGrant(auditedEvent, client, requiredGrantTypes);
    },
  },
  {
    name: 'restricted-scopes-are-allowed',
    description:
      'A client gets a restricted scope, by consent or on its own behalf, only while the operator allows it; a ' +
      'violation up to a minute later is a notice, because the decision may be older; later tokens of a consent may ' +
      'contain the scope without effect.',
    check(auditedEvent, history) {
      const clientId = actingClientId(auditedEvent, history);
      const client = clientId === undefined ? undefined : history.clients.find(clientId);
      return client === undefined ? undefined : checkRestrictedScopes(auditedEvent, client);
    },
  },
  {
    name: 'id-tokens-are-signed-as-registered',
    description:
      "An ID token is signed with its client's algorithm; a violation up to a minute after a change is a notice, " +
      'because the decision may be older.',
    check({ event: { type, data }, record }, { clients }) {
      const client = type === 'IdTokenIssued' ? clients.find(data.clientId) : undefined;
      if (type !== 'IdTokenIssued' || client === undefined || data.algorithm === client.idTokenAlgorithm)
        return undefined;
      const message = `the ID token is signed with ${data.algorithm}, not with ${client.idTokenAlgorithm}`;
      const lostAt = client.lostAt.get(data.algorithm);
      return lostAt === undefined ? finding(message) : lateViolation(record, lostAt, message);
    },
  },
  {
    name: 'a-previous-secret-is-used-in-time',
    description:
      'A client uses its previous secret only after a rotation with an overlap, and only until the overlap ends or ' +
      'the clock is set back to before that rotation; a violation up to a minute later is a notice, because the ' +
      'decision may be older.',
    check({ event: { type, data }, record }, { clients }) {
      if (type !== 'AccessTokenIssued' || data.previousSecretUsed === undefined) return undefined;
      const endsAt = clients.find(data.clientId)?.overlapEndsAt ?? null;
      if (endsAt === null) return finding('a previous client secret was used without a rotation with an overlap');
      return record.recordedAt < endsAt
        ? undefined
        : lateViolation(record, endsAt, 'a previous client secret was used after it expired');
    },
  },
  {
    name: 'a-client-secret-is-rehashed-once',
    description:
      "Only the secret from a client's registration is rehashed, and only once, so that no newer secret is undone.",
    check({ event: { type }, record }, { clients }) {
      const isNewerSecret =
        type === 'ClientSecretRehashed' && clients.find(clientIdFromStream(record))?.hasOriginalHash === false;
      return isNewerSecret
        ? finding(`the secret of client ${clientIdFromStream(record)} is not the one from its registration`)
        : undefined;
    },
  },
  {
    name: 'owners-exist',
    description: 'The owner of a client has, or had, an account.',
    check({ event: { type, data } }, { users }) {
      if (type !== 'ClientRegistered' || data.ownerId === null) return undefined;
      return users.find(data.ownerId) === undefined
        ? finding(`the owner ${data.ownerId} never had an account`)
        : undefined;
    },
  },
  {
    name: 'self-registered-clients-are-bounded',
    description:
      'A client that registered itself has no owner and no restricted scope, and cannot skip the consent page; one ' +
      'that a user admitted has only the authorization code grant.',
    check({ event: { type, data }, record }) {
      if (type !== 'ClientRegistered' || data.selfRegistered === undefined) return undefined;
      const isUnprivileged = data.ownerId === null && data.restrictedScopes.length === 0 && !data.skipAuthorization;
      const usesOnlyCodes = data.grantTypes.every((grant) => grant === 'authorization-code');
      const isPermitted = isUnprivileged && (usesOnlyCodes || record.actor.kind !== 'user');
      return isPermitted ? undefined : finding(`client ${data.clientId} registered itself with rights it may not have`);
    },
  },
];
