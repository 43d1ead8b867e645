import { formatDuration, formatList, wire, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

const refused = (why: string) => wire('invalid_request_object', `the request object ${why}`);

const PROBLEMS: Readonly<Record<RefusalOf<'request-object-malformed'>['problem'], string>> = {
  'not-a-jwt': 'something that is not a signed JWT, or has claims of wrong types',
  encrypted: 'an encrypted JWT (JWE)',
  nested: 'a JWT that contains another JWT, or the parameter request or request_uri',
  critical: 'a JWT with critical extensions (crit)',
};

function seenTime({ problem, seconds, mostSeconds }: RefusalOf<'request-object-time'>): string {
  switch (problem) {
    case 'no-expiry':
      return 'no exp';
    case 'no-start':
      return 'no nbf';
    case 'expired':
      return `it expired ${formatDuration(seconds)} ago`;
    case 'too-long':
      return `${formatDuration(seconds)} from nbf to exp, more than ${formatDuration(mostSeconds)}`;
    case 'not-yet':
      return `iat or nbf is ${formatDuration(seconds)} ahead`;
    case 'too-old':
      return `nbf was ${formatDuration(seconds)} ago`;
  }
}

/** Signed requests (RFC 9101, OpenID Connect Core §6). */
export const REQUEST_OBJECT_MESSAGES: ProtocolMessagesFor<
  | 'request-objects-mixed'
  | 'request-object-missing'
  | 'request-object-malformed'
  | 'request-object-type'
  | 'request-object-algorithm'
  | 'request-object-key-unknown'
  | 'request-object-keys-unreadable'
  | 'request-object-signature-wrong'
  | 'request-object-claim'
  | 'request-object-time'
  | 'request-object-parameter'
  | 'request-object-contradicted'
> = {
  'request-objects-mixed': () => ({
    wire: wire('invalid_request', 'request and request_uri were both sent'),
    rule: 'A request has one request object (RFC 9101 §5).',
    expected: 'request or request_uri',
    seen: 'both',
    advice: 'Leave one of them out.',
  }),
  'request-object-missing': () => ({
    wire: wire('invalid_request', 'this client must send a signed request object'),
    rule: 'The application is registered to sign its authorization requests (RFC 9101 §10.5).',
    expected: 'the parameter request, with a signed request object',
    seen: 'plain parameters',
    advice: 'Turn on signed requests (JAR) in the client library, or let the operator change the registration.',
  }),
  'request-object-malformed': ({ problem }) => ({
    wire: refused('must be a signed JWT'),
    rule: 'A request object must be a signed JWT with the parameters as its claims (RFC 9101 §4).',
    expected: 'a JWT with header, claims and signature, neither encrypted nor nested',
    seen: PROBLEMS[problem],
    advice: 'Let a JOSE library sign the parameters. exp, nbf and iat are numbers of seconds.',
  }),
  'request-object-type': ({ seen }) => ({
    wire: refused('has another type'),
    rule: 'The type of a request object shows that it is one (RFC 9101 §10.8).',
    expected: 'typ oauth-authz-req+jwt, JWT, or none',
    seen,
    advice: 'Set typ to oauth-authz-req+jwt. Never send a JWT that was made for another purpose.',
  }),
  'request-object-algorithm': ({ seen, allowed }) => ({
    wire: refused('has an algorithm that is not allowed'),
    rule: 'A request object must be signed with an allowed algorithm (RFC 9101 §10.2).',
    expected: formatList(allowed),
    seen,
    advice: 'Sign with one of the expected algorithms. An object without a signature (none) is never accepted.',
  }),
  'request-object-key-unknown': ({ seen, algorithm, known }) => ({
    wire: refused('is not signed with a registered key'),
    rule: 'A request object must be signed with a registered key of the application (RFC 9101 §6.2).',
    expected: `a key for ${algorithm}, of these: ${formatList(known)}`,
    seen: seen === null ? 'no kid' : `kid ${seen}`,
    advice: 'Register the public key, or send the kid under which it is registered.',
  }),
  'request-object-keys-unreadable': ({ problem }) => ({
    wire: refused('cannot be verified: the keys at jwks_uri cannot be read'),
    rule: 'The keys of the application must be at its jwks_uri.',
    expected: 'a JWK set with the public keys of the application',
    seen: `the jwks_uri ${problem}`,
    advice: 'Check that this server can reach the jwks_uri. Keys that were read before are used meanwhile.',
  }),
  'request-object-signature-wrong': ({ tried }) => ({
    wire: refused('has a wrong signature'),
    rule: 'The signature of a request object must verify (RFC 9101 §6.2).',
    expected: 'a signature of the registered key',
    seen: `a signature that none of ${tried} fitting ${tried === 1 ? 'key' : 'keys'} verifies`,
    advice: 'Check that the private key belongs to the registered public key, and that nothing changes the object.',
  }),
  'request-object-claim': ({ claim, expected, seen }) => ({
    wire: refused(`has a wrong ${claim}`),
    rule: 'A request object is from one client for one server (RFC 9101 §4, §10.8).',
    expected: `${claim}: ${expected}`,
    seen: `${claim}: ${seen}`,
    advice:
      'Set iss and client_id to the client_id of the application, and aud to the issuer of this server. Leave sub out.',
  }),
  'request-object-time': ({ mostSeconds, ...time }) => ({
    wire: refused('is not valid now'),
    rule: 'A request object is valid from nbf to exp. Profiles such as FAPI 2.0 limit that time.',
    expected: `a time from nbf to exp that includes now. A profile requires both, ${formatDuration(mostSeconds)} apart`,
    seen: seenTime({ mostSeconds, ...time }),
    advice: 'Sign a new object for each request. Check the clock of the machine that signs.',
  }),
  'request-object-parameter': ({ parameter, expected }) => ({
    wire: refused(`has a malformed ${parameter}`),
    rule: 'The parameters in a request object have the types and limits of plain ones (RFC 9101 §4).',
    expected: `${parameter} as ${expected}`,
    seen: 'another type, or a longer value',
    advice: `Correct ${parameter}. max_age may be a number, claims an object, and resource a list.`,
  }),
  'request-object-contradicted': ({ parameter }) => ({
    wire: wire('invalid_request', `${parameter} differs from that of the request object`),
    rule: 'A parameter that is repeated outside of the request object must be the same (OpenID Connect Core §6.1).',
    expected: `the ${parameter} of the request object, or none`,
    seen: `another ${parameter}`,
    advice: 'Send only client_id beside the request object. This server ignores other parameters there.',
  }),
};
