import { RESTRICTED_SCOPES, type RegisteredGrant } from '../../domain/values.ts';
import { clientIdFromStream, requiredGrants, type ClientRecord } from './history/clients.ts';
import type { History } from './history.ts';
import { lateViolation, finding, type Violation, type AuditedEvent, type EventRule } from './rule.ts';

/** The client that something is issued to or spent by. */
function actingClient({ event: { type, data }, recorded }: AuditedEvent, { grants }: History): string | undefined {
  if (type === 'AuthorizationCodeRedeemed' || type === 'RefreshTokenRotated')
    return grants.inStream(recorded.stream)?.clientId;
  if (type === 'ClientRegistered' || type === 'GrantSummarized' || !('clientId' in data)) return undefined;
  return data.clientId;
}

function checkRegisteredGrant(
  fact: AuditedEvent,
  client: ClientRecord,
  wanted: readonly RegisteredGrant[],
): Violation | undefined {
  if (wanted.some((grant) => client.grantTypes.includes(grant))) return undefined;
  const message = `${fact.event.type}: the client is not registered for ${wanted.join(' or ')}`;
  const lostAt = Math.max(...wanted.map((grant) => client.lostAt.get(grant) ?? -Infinity));
  return lostAt === -Infinity ? finding(message) : lateViolation(fact.recorded, lostAt, message);
}

/** What somebody decides to give; whatever follows from it can only be less. */
function grantedScope({ type, data }: AuditedEvent['event']): readonly string[] {
  return type === 'ConsentGiven' || (type === 'AccessTokenIssued' && data.userId === null) ? data.scope : [];
}

function checkRestrictedScopes({ event, recorded }: AuditedEvent, client: ClientRecord): Violation | undefined {
  const scope = grantedScope(event);
  const forbidden = RESTRICTED_SCOPES.filter((name) => scope.includes(name) && !client.restrictedScopes.includes(name));
  if (forbidden.length === 0) return undefined;
  const message = `${event.type}: the client is not allowed ${forbidden.join(' and ')}`;
  const lostAt = Math.min(...forbidden.map((name) => client.lostAt.get(name) ?? -Infinity));
  return lostAt === -Infinity ? finding(message) : lateViolation(recorded, lostAt, message);
}

export const clientRules: readonly EventRule[] = [
  {
    name: 'a-client-lives-once',
    says: 'A client is registered before it is changed or removed, and nothing happens to it after its removal.',
    check({ event: { type }, recorded }, { clients }) {
      if (!recorded.stream.startsWith('client-') || type === 'ClientRegistered') return undefined;
      const client = clients.find(clientIdFromStream(recorded));
      if (client === undefined) return finding(`${type} before the client was registered`);
      return client.removedAt === null ? undefined : finding(`${type} after the client was removed`);
    },
  },
  {
    name: 'only-registered-clients-are-served',
    says:
      'Nothing is issued to a client that was never registered, nor to one that was removed; up to a minute after the removal ' +
      'is a notice: it was decided before, and is dead on arrival.',
    check(fact, history) {
      const clientId = actingClient(fact, history);
      if (clientId === undefined) return undefined;
      const client = history.clients.find(clientId);
      if (client === undefined) return finding(`${fact.event.type} to client ${clientId}, which was never registered`);
      if (client.removedAt === null) return undefined;
      return lateViolation(
        fact.recorded,
        client.removedAt,
        `${fact.event.type} to client ${clientId}, which was removed`,
      );
    },
  },
  {
    name: 'clients-use-what-they-are-registered-for',
    says:
      'A client uses only grants that it is registered for at the time; up to a minute after it lost one is a notice: it was ' +
      'decided before.',
    check(fact, history) {
      const wanted = requiredGrants(fact.event);
      const clientId = wanted === undefined ? undefined : actingClient(fact, history);
      const client = clientId === undefined ? undefined : history.clients.find(clientId);
      return client === undefined || wanted === undefined ? undefined : checkRegisteredGrant(fact, client, wanted);
    },
  },
  {
    name: 'restricted-scopes-are-allowed',
    says:
      'A client is given a restricted scope, by consent or for itself, only while the operator allows it; up to a minute after it ' +
      'was taken away is a notice: it was decided before; what follows from a consent later may still name it, to no effect.',
    check(fact, history) {
      const clientId = actingClient(fact, history);
      const client = clientId === undefined ? undefined : history.clients.find(clientId);
      return client === undefined ? undefined : checkRestrictedScopes(fact, client);
    },
  },
  {
    name: 'a-previous-secret-is-used-in-time',
    says:
      'A client gets a token with the secret before its newest only after a rotation that let it live on, and before its end, or ' +
      'until the clock was set back to before that rotation; up to a minute after is a notice: it was decided before.',
    check({ event: { type, data }, recorded }, { clients }) {
      if (type !== 'AccessTokenIssued' || data.previousSecretUsed === undefined) return undefined;
      const endsAt = clients.find(data.clientId)?.overlapEndsAt ?? null;
      if (endsAt === null) return finding('a previous client secret was used, and no rotation let one live on');
      return recorded.recordedAt < endsAt
        ? undefined
        : lateViolation(recorded, endsAt, 'a previous client secret was used after its end');
    },
  },
  {
    name: 'a-client-secret-is-rehashed-once',
    says: 'Only the secret that a client was registered with is kept under a better hash, and that once: a newer one is never put back.',
    check({ event: { type }, recorded }, { clients }) {
      const isPutBack =
        type === 'ClientSecretRehashed' && clients.find(clientIdFromStream(recorded))?.hasOriginalHash === false;
      return isPutBack
        ? finding(`the secret of client ${clientIdFromStream(recorded)} is not the one that it was registered with`)
        : undefined;
    },
  },
  {
    name: 'owners-exist',
    says: 'Whoever a client is registered to has, or had, an account.',
    check({ event: { type, data } }, { users }) {
      if (type !== 'ClientRegistered' || data.ownerId === null) return undefined;
      return users.find(data.ownerId) === undefined
        ? finding(`the owner ${data.ownerId} never had an account`)
        : undefined;
    },
  },
];
