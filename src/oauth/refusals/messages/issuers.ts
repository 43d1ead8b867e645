import type { ForeignParameter, IssuerRefusal } from '../issuer-refusal.ts';
import { formatDuration, formatList, wire, type ProtocolMessagesFor, type WireError } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

/** RFC 7521 §4.1.1: an assertion is a grant. RFC 8693 §2.2.2: a token that is not acceptable is not. */
function refused(parameter: ForeignParameter, problem: string): WireError {
  return wire(parameter === 'assertion' ? 'invalid_grant' : 'invalid_request', `the ${parameter} ${problem}`);
}

const ISSUER_LIMITS = { issuer: 'the record of the issuer', assertion: 'the assertion itself' } as const;
const RECORD_ADVICE = 'Ask an administrator: grantlog trusted-issuer show ISSUER, or the page Trusted issuers.';

function seenTime({ problem, seconds }: RefusalOf<'issuer-time'>): string {
  const span = formatDuration(Math.abs(seconds));
  switch (problem) {
    case 'no-expiry':
      return 'no exp';
    case 'expired':
      return `an exp ${span} ago`;
    case 'too-long':
      return `an exp ${span} ahead`;
    case 'too-old':
      return `an iat ${span} ago`;
    case 'not-yet':
      return `an iat or nbf ${span} ahead`;
  }
}

/** JWTs of other issuers, as assertions (RFC 7523) and in token exchange (RFC 8693). */
export const ISSUER_MESSAGES: ProtocolMessagesFor<IssuerRefusal['rule']> = {
  'issuer-token-malformed': ({ parameter }) => ({
    wire: refused(parameter, 'is not a JWT that this server can read'),
    rule: 'A token of another issuer is a signed JWT with iss and sub (RFC 7523 §3).',
    expected: 'a signed JWT whose iss and sub are texts, without crit; its times are numbers of seconds',
    seen: 'another text',
    advice: 'Send the token of the issuer unchanged. Encrypted tokens and SAML are not supported.',
  }),
  'issuer-token-type': ({ parameter, expected, seen }) => ({
    wire: refused(parameter, 'is a JWT for another purpose'),
    rule: 'The header of a JWT says what it is for (RFC 8725 §3.11).',
    expected: `one of ${formatList(expected)} as typ, or none`,
    seen,
    advice: 'Ask the issuer for a token of this kind. ID-JAGs are redeemed with the JWT bearer grant.',
  }),
  'issuer-untrusted': ({ parameter, seen }) => ({
    wire: refused(parameter, 'is of an issuer that is not trusted'),
    rule: 'A JWT is accepted only if its issuer is trusted.',
    expected: 'the issuer of a record, exactly as the record names it',
    seen,
    advice: 'Ask an administrator: grantlog trusted-issuer set, or the page Trusted issuers.',
  }),
  'issuer-use': ({ parameter, use, allowed }) => ({
    wire: refused(parameter, `is of an issuer that is not trusted for this use: ${use}`),
    rule: 'The record of an issuer states what its tokens are accepted as.',
    expected: formatList(allowed),
    seen: use,
    advice: RECORD_ADVICE,
  }),
  'issuer-client': ({ parameter }) => ({
    wire: refused(parameter, 'is of an issuer whose tokens this client may not present'),
    rule: 'The record of an issuer names the clients that may present its tokens.',
    expected: 'a client of the record; for an identity assertion, also the client that client_id names',
    seen: 'another client',
    advice: RECORD_ADVICE,
  }),
  'issuer-algorithm': ({ parameter, seen, allowed }) => ({
    wire: refused(parameter, 'is not signed with an accepted algorithm'),
    rule: 'A JWT is signed with the private half of a key of the issuer.',
    expected: `one of ${formatList(allowed)} as alg`,
    seen,
    advice: 'Algorithms with a shared secret (HS256) and none are never accepted.',
  }),
  'issuer-key-unknown': ({ parameter, seen, algorithm, known }) => ({
    wire: refused(parameter, 'is signed with a key that this server does not know'),
    rule: 'A JWT is signed with the private half of a key of the issuer.',
    expected: `a key for ${algorithm}; the keys of the issuer with an id are: ${formatList(known)}`,
    seen: seen === null ? `no kid, and no key fits ${algorithm}` : `the kid ${seen}`,
    advice: 'Publish a key before signing with it. Published keys are read once a minute at most.',
  }),
  'issuer-keys-unreadable': ({ parameter, problem }) => ({
    wire: refused(parameter, 'cannot be verified: the keys of its issuer could not be read'),
    rule: 'The keys of the issuer are read from the address in its record.',
    expected: 'a JWK set of 1 to 20 public keys, over https, within 5 seconds and 64 KB, without a redirect',
    seen: `the key set ${problem}`,
    advice: 'Correct the key set or the record, and try again after 15 seconds.',
  }),
  'issuer-signature-wrong': ({ parameter, tried }) => ({
    wire: refused(parameter, 'has a signature that is not of its issuer'),
    rule: 'The signature must be right.',
    expected: 'a signature by a key of the issuer',
    seen: tried === 1 ? 'a signature that this key did not make' : `a signature by none of ${tried} keys`,
    advice: 'Check that nothing alters the token, and that the record has the present keys of the issuer.',
  }),
  'issuer-audience': ({ parameter, expected, seen }) => ({
    wire: refused(parameter, 'is for another audience'),
    rule: 'A JWT is for this server, so that no other server can use it here (RFC 7523 §3).',
    expected: `one of ${formatList(expected)} in aud`,
    seen,
    advice: 'Request the token for this audience, or ask an administrator to accept another one.',
  }),
  'issuer-time': (refusal) => ({
    wire: refused(refusal.parameter, 'is not valid now, or for too long'),
    rule: 'A JWT has an exp, and the record of its issuer limits its age (RFC 7523 §3).',
    expected: `exp in the future, by at most ${formatDuration(refusal.mostSeconds)}; iat at most that long ago`,
    seen: seenTime(refusal),
    advice: 'Request a new token for each use. Check the clocks. An administrator can change the limit.',
  }),
  'issuer-claim': ({ parameter, name, expected, seen }) => ({
    wire: refused(parameter, 'lacks a claim that the record of its issuer requires'),
    rule: 'The record of an issuer can require claims, for all its tokens or for those that one client presents.',
    expected: `${name}=${expected}`,
    seen,
    advice: RECORD_ADVICE,
  }),
  'issuer-subject': ({ parameter, mapping }) => ({
    wire: refused(parameter, 'is about nobody who may log in here'),
    rule: 'The subject of a JWT is an active user here, unless it acts as the client.',
    expected: `a user, found by ${mapping}`,
    seen: 'no such user, or one who is disabled',
    advice: RECORD_ADVICE,
  }),
  'issuer-act': ({ parameter, isSelf }) => ({
    wire: refused(parameter, isSelf ? 'names its subject as the actor' : 'names an actor'),
    rule: 'This server records who acts in an exchange itself, and believes no actor that another issuer names.',
    expected: 'a token without act',
    seen: isSelf ? 'an act with the subject itself' : 'an act',
    advice: 'Send a token of the subject alone, and the token of the actor as actor_token.',
  }),
  'issuer-scope-beyond': ({ limit, missing, allowed }) => ({
    wire: wire('invalid_scope', `the request has more scope than ${ISSUER_LIMITS[limit]} allows`),
    rule: 'A token for a JWT of another issuer has at most the scope of the record of the issuer and of the JWT.',
    expected: `within ${formatList(allowed)}`,
    seen: formatList(missing),
    advice: 'Leave out scope to get all that is possible.',
  }),
  'issuer-resource-beyond': ({ limit, missing, allowed }) => ({
    wire: wire('invalid_target', `the request names a resource server that ${ISSUER_LIMITS[limit]} does not allow`),
    rule: 'A token for a JWT of another issuer is for resource servers of the record of the issuer and of the JWT.',
    expected: `within ${formatList(allowed)}`,
    seen: formatList(missing),
    advice: 'Leave out resource to get all that is possible.',
  }),
  'issuer-no-scope-left': () => ({
    wire: wire('invalid_scope', 'no scope is left within the limits of the issuer and its token'),
    rule: 'A token has at least one scope.',
    expected: 'a scope that the record of the issuer and the JWT have in common, and that this server knows',
    seen: 'none',
    advice: RECORD_ADVICE,
  }),
  'issuer-no-resource-left': () => ({
    wire: wire('invalid_target', 'no resource server is left within the limits of the issuer and its token'),
    rule: 'A token that is limited to resource servers is for at least one of them.',
    expected: 'a registered resource server that the record of the issuer and the JWT have in common',
    seen: 'none',
    advice: RECORD_ADVICE,
  }),
  'issuer-token-replayed': () => ({
    wire: wire('invalid_grant', 'the assertion was redeemed before'),
    rule: 'An assertion is redeemed once, for ever, on whichever node it is presented (RFC 7523 §3).',
    expected: 'an assertion with a new jti',
    seen: 'one that was redeemed before',
    advice: 'Request a new assertion of the issuer for each access token.',
  }),
  'issuer-second-factor': () => ({
    wire: wire('invalid_grant', 'this client needs a login with a second factor, which no assertion shows'),
    rule: 'A client that requires a second factor gets tokens only for logins with one.',
    expected: 'a login here',
    seen: 'an assertion of another issuer',
    advice: 'Let the user log in here, or ask an administrator to change the application.',
  }),
};
