import { finding, isSubset, type Violation, type AuditedEvent, type EventRule } from './rule.ts';
import type { GrantRecord } from './history/grants.ts';
import type { History } from './history.ts';

function checkConsentFirst(
  { event: { type, data }, recorded }: AuditedEvent,
  grant: GrantRecord | undefined,
): Violation | undefined {
  if (!recorded.stream.startsWith('grant-')) return undefined;
  if (grant !== undefined || type === 'ConsentGiven') return undefined;
  if (type === 'AccessTokenIssued' && data.userId === null) return undefined;
  return finding(`${type} without the consent of a resource owner before it`);
}

function checkParties({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  if (type !== 'AuthorizationCodeIssued' && type !== 'AccessTokenIssued' && type !== 'RefreshTokenIssued')
    return undefined;
  if (grant === undefined) return undefined;
  if (data.clientId !== grant.clientId)
    return finding(`${type} to client ${data.clientId}, the grant is to client ${grant.clientId}`);
  return data.userId === grant.userId
    ? undefined
    : finding(`${type} for user ${data.userId}, the grant is by user ${grant.userId}`);
}

function checkScope({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  if (grant === undefined || type === 'ConsentGiven' || !('scope' in data)) return undefined;
  const granted = type === 'AccessTokenIssued' ? (grant.due ?? grant.scope) : grant.scope;
  return isSubset(data.scope, granted)
    ? undefined
    : finding(`${type} with scope ${data.scope.join(' ')} where ${granted.join(' ')} was granted`);
}

function checkResources(
  { event: { type, data } }: AuditedEvent,
  grant: GrantRecord | undefined,
): Violation | undefined {
  if (type !== 'AccessTokenIssued' && type !== 'RefreshTokenIssued') return undefined;
  const granted = grant?.resource ?? [];
  if (granted.length === 0) return undefined;
  const { resource = [] } = data;
  if (resource.length > 0 && isSubset(resource, granted)) return undefined;
  return finding(
    `${type} for ${resource.length === 0 ? 'every resource server' : resource.join(' ')} where ${granted.join(' ')} was granted`,
  );
}

function checkCause({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  if (grant === undefined) return undefined;
  if (type === 'RefreshTokenIssued')
    return grant.refreshDue ? undefined : finding('a refresh token that nothing was exchanged for');
  if (type !== 'AccessTokenIssued' || grant.due !== null) return undefined;
  return finding(
    data.userId === null
      ? 'a second access token from one use of client credentials'
      : 'an access token that nothing was exchanged for',
  );
}

function checkCompleteAppend(
  { event: { type }, recorded: { stream } }: AuditedEvent,
  { grants }: History,
): Violation | undefined {
  const next = grants.expectedNext();
  if (next === undefined || (next.stream === stream && next.type === type)) return undefined;
  return finding(`${type} where ${next.type} was to follow in ${next.stream}`);
}

function checkNotRevoked({ event: { type } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  return grant?.revoked === true ? finding(`${type} after the grant's revocation`) : undefined;
}

export const grantRules: readonly EventRule[] = [
  {
    name: 'consent-comes-first',
    says: "A grant begins with its resource owner's consent, or with the access token of a client that acts for itself.",
    check: (fact, { grants }) => checkConsentFirst(fact, grants.inStream(fact.recorded.stream)),
  },
  {
    name: 'one-client-one-user',
    says: 'Every code and token of a grant is issued to the client, and for the user, that the grant began with.',
    check: (fact, { grants }) => checkParties(fact, grants.inStream(fact.recorded.stream)),
  },
  {
    name: 'scope-never-widens',
    says: 'No code, token or refresh holds a scope beyond what was consented to, nor an access token one beyond what it was exchanged for.',
    check: (fact, { grants }) => checkScope(fact, grants.inStream(fact.recorded.stream)),
  },
  {
    name: 'resources-never-widen',
    says: 'No token is for a resource server beyond those that its grant is for, nor for every one when these were named.',
    check: (fact, { grants }) => checkResources(fact, grants.inStream(fact.recorded.stream)),
  },
  {
    name: 'tokens-have-a-cause',
    says: "A token comes of a redeemed code, of the owner's password, of a refresh, or of the client's own credentials: one of a kind for each.",
    check: (fact, { grants }) => checkCause(fact, grants.inStream(fact.recorded.stream)),
  },
  {
    name: 'answers-are-whole',
    says:
      'A consent is followed at once by its code, or, given with a password and like a redeemed code, by an access token and a ' +
      'refresh token, and a refresh by its access token: they were appended as one.',
    check: checkCompleteAppend,
  },
  {
    name: 'revocation-is-the-end',
    says: 'Nothing happens to a grant after its revocation.',
    check: (fact, { grants }) => checkNotRevoked(fact, grants.inStream(fact.recorded.stream)),
  },
];
