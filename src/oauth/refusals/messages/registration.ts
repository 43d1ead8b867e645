import { formatList, wire, type ProtocolMessagesFor } from '../messages.ts';

const TOKEN_ADVICE =
  'Send Authorization: Bearer with the registration_access_token from the response to the registration of this client.';

/** Programs that register themselves (RFC 7591 §3.2.2, RFC 7592 §2). */
export const REGISTRATION_MESSAGES: ProtocolMessagesFor<
  | 'registration-metadata'
  | 'registration-too-long'
  | 'software-statement-untrusted'
  | 'software-statement-invalid'
  | 'registration-token-missing'
  | 'registration-token-wrong'
  | 'registration-not-recorded'
> = {
  'registration-metadata': ({ member, problem }) => ({
    wire: wire(
      member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      problem
        .replaceAll('…', '...')
        .replaceAll('"', "'")
        .replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?'),
    ),
    rule: 'The metadata of a client must be valid (RFC 7591 §2).',
    expected: `a valid ${member}`,
    seen: problem,
    advice: 'Correct the member, and register again.',
  }),
  'registration-too-long': ({ most }) => ({
    wire: wire(
      'invalid_client_metadata',
      `the registration is too long: the client id contains it, and has at most ${most} characters; register fewer ` +
        'redirect URIs or keys',
    ),
    rule: 'The client id contains the registration, so a registration has a greatest length.',
    expected: `a registration that fits into a client id of ${most} characters`,
    seen: 'a longer one',
    advice: 'Register fewer or shorter redirect URIs, names and keys; or register with an initial access token.',
  }),
  'software-statement-untrusted': ({ issuer, trusted }) => ({
    wire: wire('unapproved_software_statement', 'this server does not trust the issuer of the software statement'),
    rule: 'The operator names the issuers of software statements (RFC 7591 §2.3).',
    expected: `an issuer from softwareStatementIssuers: ${formatList(trusted)}`,
    seen: issuer,
    advice: 'Leave the software statement out, or ask the operator to trust its issuer.',
  }),
  'software-statement-invalid': ({ problem }) => ({
    wire: wire('invalid_software_statement', 'the software statement cannot be verified, or is not valid now'),
    rule: 'A software statement is a JWT that its issuer has signed (RFC 7591 §2.3).',
    expected: 'a statement with a valid signature that has not expired',
    seen: `one that ${problem}`,
    advice: 'Get a new statement from its issuer.',
  }),
  'registration-token-missing': () => ({
    wire: wire('invalid_token', 'the registration access token is missing', 401),
    rule: 'A client reads and changes its registration with its registration access token (RFC 7592 §2).',
    expected: 'Authorization: Bearer REGISTRATION-ACCESS-TOKEN',
    seen: 'none',
    advice: TOKEN_ADVICE,
  }),
  'registration-token-wrong': () => ({
    wire: wire('invalid_token', 'the registration access token is not the one of this client', 401),
    rule: 'A client reads and changes its registration with its registration access token (RFC 7592 §2).',
    expected: 'the registration access token of this client, which registered itself',
    seen: 'another token; or the client is unknown, was removed, or was registered by a user',
    advice: TOKEN_ADVICE,
  }),
  'registration-not-recorded': () => ({
    wire: wire(
      'invalid_client_metadata',
      'the client id contains this registration until a user authorizes the client; register again to change it',
      403,
    ),
    rule: 'A registration can be changed once the log has it, which is when a user first authorizes the client.',
    expected: 'a client that a user has authorized',
    seen: 'one that nobody has authorized yet',
    advice: 'Register again with the new metadata. The old client id expires by itself.',
  }),
};
