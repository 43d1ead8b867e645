import type { EventOf, EventType } from '../../domain/events.ts';
import type { AuditedEvent } from './audited-event.ts';
import { finding, isSubset, type EventRule, type Violation } from './rule.ts';
import type { GrantRecord } from './history/grants.ts';
import type { History } from './history.ts';

function checkConsentFirst(
  { event: { type, data }, record }: AuditedEvent,
  grant: GrantRecord | undefined,
): Violation | undefined {
  if (!record.stream.startsWith('grant-')) return undefined;
  if (grant !== undefined || type === 'ConsentGiven') return undefined;
  if (type === 'TokenExchanged' || type === 'AssertionRedeemed') return undefined;
  const isStandaloneToken = type === 'AccessTokenIssued' && data.exchanged === undefined && data.asserted === undefined;
  if (type === 'DeviceDenied' || (isStandaloneToken && data.userId === null)) return undefined;
  return finding(`${type} without an earlier consent of a resource owner`);
}

/** Checks that the text that the user saw, which is part of the consent, describes exactly the granted scopes. */
function checkShownText({ event: { type, data } }: AuditedEvent): Violation | undefined {
  if (type !== 'ConsentGiven' || data.shown === undefined) return undefined;
  if (data.basis !== 'asked' && data.basis !== 'device')
    return finding(`the consent contains the text of a page, but its basis is ${data.basis}`);
  const describedScopes = data.shown.scopes.map(({ name }) => name);
  return describedScopes.length === data.scope.length && isSubset(describedScopes, data.scope)
    ? undefined
    : finding(`the text describes ${describedScopes.join(' ') || 'no scope'}, but ${data.scope.join(' ')} was granted`);
}

const CREDENTIAL_TYPES: readonly EventType[] = [
  'AuthorizationCodeIssued',
  'DeviceAuthorized',
  'AccessTokenIssued',
  'IdTokenIssued',
  'RefreshTokenIssued',
];

function checkParties({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  if (!CREDENTIAL_TYPES.includes(type) || !('clientId' in data) || !('userId' in data)) return undefined;
  if (grant === undefined) return undefined;
  if (data.clientId !== grant.clientId)
    return finding(`${type} to client ${data.clientId} in a grant to client ${grant.clientId}`);
  return data.userId === grant.userId
    ? undefined
    : finding(`${type} for user ${data.userId} in a grant by user ${grant.userId}`);
}

function checkIdToken({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  if (type !== 'IdTokenIssued' || grant === undefined) return undefined;
  if (grant.idToken !== undefined) return finding('the access token already came with an ID token');
  if (!grant.isIdTokenDue) return finding('no code or refresh with the openid scope led to the ID token');
  const grantedClaims = [...(grant.claims?.idToken ?? []), ...(grant.scope.includes('groups') ? ['groups'] : [])];
  return isSubset(data.claims, grantedClaims)
    ? undefined
    : finding(
        `the ID token has the claims ${data.claims.join(' ')}, but ${grantedClaims.join(' ') || 'none'} was granted`,
      );
}

function checkScope({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  if (grant === undefined || type === 'ConsentGiven' || !('scope' in data)) return undefined;
  const grantedScope = type === 'AccessTokenIssued' ? (grant.dueScope ?? grant.scope) : grant.scope;
  return isSubset(data.scope, grantedScope)
    ? undefined
    : finding(`${type} with scope ${data.scope.join(' ')}, but ${grantedScope.join(' ') || 'no scope'} was granted`);
}

function checkResources(
  { event: { type, data } }: AuditedEvent,
  grant: GrantRecord | undefined,
): Violation | undefined {
  if (type !== 'AccessTokenIssued' && type !== 'RefreshTokenIssued') return undefined;
  const grantedResources = grant?.resource ?? [];
  if (grantedResources.length === 0) return undefined;
  const { resource = [] } = data;
  const requestedResources = resource.length === 0 ? 'every resource server' : resource.join(' ');
  if (resource.length > 0 && isSubset(resource, grantedResources)) return undefined;
  return finding(`${type} for ${requestedResources}, but ${grantedResources.join(' ')} was granted`);
}

function checkCause({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  if (grant === undefined) return undefined;
  if (type === 'RefreshTokenIssued')
    return grant.isRefreshTokenDue ? undefined : finding('no event led to the refresh token');
  if (type !== 'AccessTokenIssued' || grant.dueScope !== null || isRefreshWithoutRotation(data, grant))
    return undefined;
  return finding(
    data.userId === null && data.exchanged === undefined && data.asserted === undefined
      ? 'the client credentials already led to an access token'
      : 'no event led to the access token',
  );
}

/** The refresh tokens of a client whose tokens are all bound are not rotated. */
function isRefreshWithoutRotation(
  { confirmation }: EventOf<'AccessTokenIssued'>['data'],
  { refreshToken }: GrantRecord,
): boolean {
  return refreshToken !== null && confirmation !== undefined;
}

function checkCompleteAppend(
  { event: { type }, record: { stream } }: AuditedEvent,
  { grants }: History,
): Violation | undefined {
  const expectedEvent = grants.expectedNext();
  if (expectedEvent === undefined || (expectedEvent.stream === stream && expectedEvent.type === type)) return undefined;
  return finding(`${type}, but ${expectedEvent.type} must follow in ${expectedEvent.stream}`);
}

function checkNotRevoked({ event: { type } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  return grant?.isRevoked === true ? finding(`${type} after the grant's revocation`) : undefined;
}

export const grantRules: readonly EventRule[] = [
  {
    name: 'consent-comes-first',
    description:
      "A grant starts with its resource owner's consent, with a denied device request, with the exchange of a token, " +
      'with the redemption of an assertion, or with the access token of a client that acts on its own behalf.',
    check: (auditedEvent, { grants }) => checkConsentFirst(auditedEvent, grants.inStream(auditedEvent.record.stream)),
  },
  {
    name: 'text-fits-consent',
    description: 'Only a consent on a page contains the text of the page, and it describes each granted scope once.',
    check: checkShownText,
  },
  {
    name: 'one-client-one-user',
    description: 'All codes and tokens of a grant are issued to the client and for the user of its first event.',
    check: (auditedEvent, { grants }) => checkParties(auditedEvent, grants.inStream(auditedEvent.record.stream)),
  },
  {
    name: 'id-tokens-follow-the-consent',
    description:
      'An ID token is issued with an access token, because the code or the refresh that caused both tokens has the ' +
      'scope openid (an access token for certain resource servers may lack it), and has only consented claims.',
    check: (auditedEvent, { grants }) => checkIdToken(auditedEvent, grants.inStream(auditedEvent.record.stream)),
  },
  {
    name: 'scope-never-widens',
    description:
      'No code, token or refresh exceeds the scope of the consent, and no access token exceeds the scope of its ' +
      'cause.',
    check: (auditedEvent, { grants }) => checkScope(auditedEvent, grants.inStream(auditedEvent.record.stream)),
  },
  {
    name: 'resources-never-widen',
    description:
      'No token is for a resource server that its grant does not include, nor for all resource servers if the grant ' +
      'is restricted to some.',
    check: (auditedEvent, { grants }) => checkResources(auditedEvent, grants.inStream(auditedEvent.record.stream)),
  },
  {
    name: 'tokens-have-a-cause',
    description:
      "A token follows from a redeemed code, the owner's password, a refresh, an exchange, an assertion, or client " +
      'credentials, each of which leads to at most one token of each type; a refresh without rotation issues a bound ' +
      'token.',
    check: (auditedEvent, { grants }) => checkCause(auditedEvent, grants.inStream(auditedEvent.record.stream)),
  },
  {
    name: 'answers-are-whole',
    description:
      'Events that are appended together follow each other: a consent and its code, the authorization of a device ' +
      'or, for a consent with a password, an access token and a refresh token; a redeemed code, an access token and ' +
      'a refresh token; a refresh, an exchange or an assertion, and its access token.',
    check: checkCompleteAppend,
  },
  {
    name: 'revocation-is-the-end',
    description: 'A grant has no events after its revocation.',
    check: (auditedEvent, { grants }) => checkNotRevoked(auditedEvent, grants.inStream(auditedEvent.record.stream)),
  },
];
