import { formatDuration, formatList, wire, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

/** The same for every cause except its form, so that it helps nobody who tries assertions. */
const ASSERTION_REFUSED = wire(
  'invalid_client',
  'client authentication failed: the client assertion is not valid; the owner of the application can see why',
);

function seenTime({ problem, seconds }: RefusalOf<'assertion-time'>): string {
  switch (problem) {
    case 'no-expiry':
      return 'no exp';
    case 'expired':
      return `it expired ${formatDuration(seconds)} ago`;
    case 'too-long':
      return `it expires in ${formatDuration(seconds)}`;
    case 'not-yet':
      return `iat or nbf is ${formatDuration(seconds)} ahead`;
  }
}

/** Client assertions: `private_key_jwt` (RFC 7523 §2.2, OpenID Connect Core §9). */
export const ASSERTION_MESSAGES: ProtocolMessagesFor<
  | 'assertion-type'
  | 'assertion-malformed'
  | 'assertion-too-long'
  | 'assertion-issuer'
  | 'assertion-client-unknown'
  | 'assertion-algorithm'
  | 'assertion-key-unknown'
  | 'client-keys-unreadable'
  | 'assertion-signature-wrong'
  | 'assertion-audience'
  | 'assertion-time'
  | 'assertion-without-id'
  | 'assertion-replayed'
> = {
  'assertion-type': ({ seen }) => ({
    wire: wire(
      'invalid_client',
      'client_assertion requires client_assertion_type urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    ),
    rule: 'An assertion is sent with its type (RFC 7523 §2.2).',
    expected: 'client_assertion, and client_assertion_type urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    seen,
    advice: 'Send both parameters. Other types of assertions, such as SAML, are not supported.',
  }),
  'assertion-malformed': () => ({
    wire: ASSERTION_REFUSED,
    rule: 'A client assertion must be a signed JWT (RFC 7523 §3).',
    expected: 'a JWT with header, claims and signature, and without critical extensions (crit)',
    seen: 'something else',
    advice: 'Let a JOSE library build the assertion. iat, nbf and exp are numbers of seconds.',
  }),
  'assertion-too-long': ({ most, length }) => ({
    wire: wire('invalid_client', `client_assertion is longer than ${most} characters`),
    rule: 'The length of a client assertion is limited, and checked before the assertion is read.',
    expected: `at most ${most} characters`,
    seen: `${length} characters`,
    advice:
      'Name the key by a short kid, and leave out what this server does not read, such as certificates (x5c). ' +
      'An assertion signed with RSA of 4,096 bits has about 1,200 characters.',
  }),
  'assertion-issuer': ({ differs }) => ({
    wire: ASSERTION_REFUSED,
    rule: 'A client signs assertions about itself (RFC 7523 §3).',
    expected: 'the client_id as iss and sub, and as client_id if that is sent',
    seen: differs === 'sub' ? 'different values, or none, for iss and sub' : 'a client_id that differs from iss',
    advice: 'Set iss and sub to the client_id of the application.',
  }),
  'assertion-client-unknown': ({ length, isAddress }) => ({
    wire: ASSERTION_REFUSED,
    rule: 'The client must be registered.',
    expected: 'the client_id of a registered application as iss',
    seen: `an unknown client_id of ${length} characters`,
    advice: isAddress
      ? 'The log gets a client that describes itself with the first consent. Until then, send users to the ' +
        'authorization endpoint without pushing the request, or register the application.'
      : "Copy the client_id from the application's page.",
  }),
  'assertion-algorithm': ({ seen, allowed }) => ({
    wire: ASSERTION_REFUSED,
    rule: 'An assertion is signed with the private half of a registered key.',
    expected: `one of ${formatList(allowed)} as alg`,
    seen,
    advice: 'Sign with one of these. Algorithms with a shared secret (HS256) and none are never accepted.',
  }),
  'assertion-key-unknown': ({ seen, algorithm, known }) => ({
    wire: ASSERTION_REFUSED,
    rule: 'An assertion is signed with the private half of a registered key.',
    expected: `a registered key for ${algorithm}; the registered keys with an id are: ${formatList(known)}`,
    seen: seen === null ? `no kid, and no registered key fits ${algorithm}` : `the kid ${seen}`,
    advice:
      'Register or publish the public key before you sign with it. Published ones are read once a minute at most.',
  }),
  'client-keys-unreadable': ({ problem }) => ({
    wire: ASSERTION_REFUSED,
    rule: 'The keys of the application are read from its jwks_uri.',
    expected: 'a JWK set of 1 to 20 public keys, over https, within 5 seconds and 64 KB, without a redirect',
    seen: `the jwks_uri ${problem}`,
    advice:
      'Correct the document, and try again after 15 seconds. grantlog client keys CLIENT_ID shows whether it is read.',
  }),
  'assertion-signature-wrong': ({ tried }) => ({
    wire: ASSERTION_REFUSED,
    rule: 'The signature must be right.',
    expected: 'a signature by the registered key',
    seen: tried === 1 ? 'a signature that this key did not make' : `a signature by none of ${tried} keys`,
    advice: 'Check that the application has the private half of the registered key, and that nothing alters the JWT.',
  }),
  'assertion-audience': ({ expected, seen }) => ({
    wire: ASSERTION_REFUSED,
    rule: 'An assertion is for this server alone, so that no other server can use it.',
    expected: `the issuer as aud, as a string: ${expected}`,
    seen,
    advice: 'Set aud to the issuer, not to the address of the endpoint, and not to a list.',
  }),
  'assertion-time': (refusal) => ({
    wire: ASSERTION_REFUSED,
    rule: 'An assertion is valid for a short time.',
    expected: `exp in the future, by at most ${formatDuration(refusal.mostSeconds)}; iat and nbf not in the future`,
    seen: seenTime(refusal),
    advice: 'Create an assertion for each request, with an exp one minute ahead. Check the clock of the application.',
  }),
  'assertion-without-id': ({ most }) => ({
    wire: ASSERTION_REFUSED,
    rule: 'An assertion has an id, because it is accepted once.',
    expected: `a jti of 1 to ${most} characters`,
    seen: 'none, or a longer one',
    advice: 'Set jti to a random value for each assertion.',
  }),
  'assertion-replayed': () => ({
    wire: ASSERTION_REFUSED,
    rule: 'An assertion is accepted once.',
    expected: 'a new assertion',
    seen: 'one with a jti that the client has used',
    advice: 'Create an assertion for each request. If you did, somebody else may have sent a copy of it first.',
  }),
};
