import { finding, within, type Breach, type Fact, type FactRule } from './rule.ts';
import type { GrantNotes } from './history/grants.ts';
import type { History } from './history.ts';

function consentFirst({ event: { type, data }, recorded }: Fact, grant: GrantNotes | undefined): Breach | undefined {
  if (!recorded.stream.startsWith('grant-')) return undefined;
  if (grant !== undefined || type === 'ConsentGiven') return undefined;
  if (type === 'AccessTokenIssued' && data.userId === null) return undefined;
  return finding(`${type} without the consent of a resource owner before it`);
}

function sameParties({ event: { type, data } }: Fact, grant: GrantNotes | undefined): Breach | undefined {
  if (type !== 'AuthorizationCodeIssued' && type !== 'AccessTokenIssued' && type !== 'RefreshTokenIssued')
    return undefined;
  if (grant === undefined) return undefined;
  if (data.clientId !== grant.clientId)
    return finding(`${type} to client ${data.clientId}, the grant is to client ${grant.clientId}`);
  return data.userId === grant.userId
    ? undefined
    : finding(`${type} for user ${data.userId}, the grant is by user ${grant.userId}`);
}

function withinConsent({ event: { type, data } }: Fact, grant: GrantNotes | undefined): Breach | undefined {
  if (grant === undefined || type === 'ConsentGiven' || !('scope' in data)) return undefined;
  const granted = type === 'AccessTokenIssued' ? (grant.due ?? grant.scope) : grant.scope;
  return within(data.scope, granted)
    ? undefined
    : finding(`${type} with scope ${data.scope.join(' ')} where ${granted.join(' ')} was granted`);
}

function withinResources({ event: { type, data } }: Fact, grant: GrantNotes | undefined): Breach | undefined {
  if (type !== 'AccessTokenIssued' && type !== 'RefreshTokenIssued') return undefined;
  const granted = grant?.resource ?? [];
  if (granted.length === 0) return undefined;
  const { resource = [] } = data;
  if (resource.length > 0 && within(resource, granted)) return undefined;
  return finding(
    `${type} for ${resource.length === 0 ? 'every resource server' : resource.join(' ')} where ${granted.join(' ')} was granted`,
  );
}

function hasCause({ event: { type, data } }: Fact, grant: GrantNotes | undefined): Breach | undefined {
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

function isWhole({ event: { type }, recorded: { stream } }: Fact, { grants }: History): Breach | undefined {
  const next = grants.next();
  if (next === undefined || (next.stream === stream && next.type === type)) return undefined;
  return finding(`${type} where ${next.type} was to follow in ${next.stream}`);
}

function notRevoked({ event: { type } }: Fact, grant: GrantNotes | undefined): Breach | undefined {
  return grant?.revoked === true ? finding(`${type} after the grant's revocation`) : undefined;
}

export const grantRules: readonly FactRule[] = [
  {
    name: 'consent-comes-first',
    says: "A grant begins with its resource owner's consent, or with the access token of a client that acts for itself.",
    check: (fact, { grants }) => consentFirst(fact, grants.in(fact.recorded.stream)),
  },
  {
    name: 'one-client-one-user',
    says: 'Every code and token of a grant is issued to the client, and for the user, that the grant began with.',
    check: (fact, { grants }) => sameParties(fact, grants.in(fact.recorded.stream)),
  },
  {
    name: 'scope-never-widens',
    says: 'No code, token or refresh holds a scope beyond what was consented to, nor an access token one beyond what it was exchanged for.',
    check: (fact, { grants }) => withinConsent(fact, grants.in(fact.recorded.stream)),
  },
  {
    name: 'resources-never-widen',
    says: 'No token is for a resource server beyond those that its grant is for, nor for every one when these were named.',
    check: (fact, { grants }) => withinResources(fact, grants.in(fact.recorded.stream)),
  },
  {
    name: 'tokens-have-a-cause',
    says: "A token comes of a redeemed code, of the owner's password, of a refresh, or of the client's own credentials: one of a kind for each.",
    check: (fact, { grants }) => hasCause(fact, grants.in(fact.recorded.stream)),
  },
  {
    name: 'answers-are-whole',
    says:
      'A consent is followed at once by its code, or, given with a password and like a redeemed code, by an access token and a ' +
      'refresh token, and a refresh by its access token: they were appended as one.',
    check: isWhole,
  },
  {
    name: 'revocation-is-the-end',
    says: 'Nothing happens to a grant after its revocation.',
    check: (fact, { grants }) => notRevoked(fact, grants.in(fact.recorded.stream)),
  },
];
