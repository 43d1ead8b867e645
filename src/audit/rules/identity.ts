import type { EventType } from '../../domain/events.ts';
import { finding, type AuditedEvent, type EventRule } from './rule.ts';

const STREAM_KINDS: Readonly<Record<EventType, string>> = {
  ConsentGiven: 'grant',
  AuthorizationCodeIssued: 'grant',
  AuthorizationCodeRedeemed: 'grant',
  AccessTokenIssued: 'grant',
  RefreshTokenIssued: 'grant',
  RefreshTokenRotated: 'grant',
  GrantSummarized: 'grant',
  GrantRevoked: 'grant',
  ClientRegistered: 'client',
  ClientUpdated: 'client',
  ClientSecretRotated: 'client',
  ClientSecretRehashed: 'client',
  ClientRemoved: 'client',
  UserRegistered: 'user',
  UserProfileChanged: 'user',
  PasswordChanged: 'user',
  PasswordRehashed: 'user',
  UserDisabled: 'user',
  UserEnabled: 'user',
  UserErased: 'user',
  AllSessionsEnded: 'user',
  UserRolesChanged: 'user',
  PasskeyAdded: 'user',
  PasskeyRemoved: 'user',
  SessionStarted: 'session',
  SessionEnded: 'session',
  GroupCreated: 'group',
  ClockSetBack: 'clock',
};

/** The id that the event itself gives to the thing its stream is about, where it does. */
function subjectId({ event: { type, data } }: AuditedEvent): string | undefined {
  if (type === 'ConsentGiven' || type === 'AccessTokenIssued') return data.grantId;
  return type === 'ClientRegistered' ? data.clientId : undefined;
}

function issuedHash({ event: { type, data } }: AuditedEvent): string | undefined {
  if (type === 'AuthorizationCodeIssued') return data.codeHash;
  return type === 'AccessTokenIssued' || type === 'RefreshTokenIssued' || type === 'RefreshTokenRotated'
    ? data.tokenHash
    : undefined;
}

export const identityRules: readonly EventRule[] = [
  {
    name: 'events-in-their-stream',
    says: 'Every event is in a stream of its kind, and names no other grant or client than the one its stream is of.',
    check(fact) {
      const { type } = fact.event;
      const { stream } = fact.recorded;
      const kind = STREAM_KINDS[type];
      const isOfKind = kind === 'clock' ? stream === kind : stream.startsWith(`${kind}-`);
      if (!isOfKind) return finding(`${type} does not belong in the stream ${stream}`);
      const id = subjectId(fact);
      return id === undefined || stream === `${kind}-${id}`
        ? undefined
        : finding(`${type} names ${id}, the stream is ${stream}`);
    },
  },
  {
    name: 'ids-never-repeat',
    says: 'The id of a client, a user, a grant or a group is given once and never again.',
    check({ event: { type, data }, recorded: { stream } }, { clients, users, grants, groupIds }) {
      if (type === 'ClientRegistered' && clients.find(data.clientId) !== undefined)
        return finding(`the client id ${data.clientId} was given before`);
      if (type === 'UserRegistered' && users.find(data.userId) !== undefined)
        return finding(`the user id ${data.userId} was given before`);
      if (type === 'ConsentGiven' && grants.inStream(stream) !== undefined)
        return finding(`the grant ${data.grantId} has begun before`);
      if (type === 'GroupCreated' && groupIds.has(data.groupId))
        return finding(`the group id ${data.groupId} was given before`);
      return undefined;
    },
  },
  {
    name: 'credentials-never-repeat',
    says: 'No code and no token is ever issued twice.',
    check(fact, { credentials }) {
      const hash = issuedHash(fact);
      return hash !== undefined && credentials.has(hash)
        ? finding(`${fact.event.type} issues what was issued before`)
        : undefined;
    },
  },
  {
    name: 'group-names-are-unique',
    says: 'No two groups have the same name.',
    check({ event: { type, data } }, { groupNames }) {
      return type === 'GroupCreated' && groupNames.has(data.name)
        ? finding(`there is a group named ${JSON.stringify(data.name)} already`)
        : undefined;
    },
  },
];
