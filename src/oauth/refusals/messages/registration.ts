import { english } from '../../../language/english.ts';
import { message } from '../../../language/message.ts';
import { formatList } from '../list-text.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';

const TOKEN_ADVICE = message('refusal.registration.token-advice');

/** Messages about clients that register themselves (RFC 7591 §3.2.2, RFC 7592 §2). */
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
      english
        .text(problem)
        .replaceAll('\n', ' ')
        .replaceAll('…', '...')
        .replaceAll('"', "'")
        .replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?'),
    ),
    rule: message('refusal.registration-metadata.rule'),
    expected: message('refusal.registration-metadata.expected', { member }),
    seen: problem,
    advice: message('refusal.registration-metadata.advice'),
  }),
  'registration-too-long': ({ most }) => ({
    wire: wire(
      'invalid_client_metadata',
      `the registration is too long: it is part of the client id, which can have at most ${most} characters; ` +
        'register fewer redirect URIs or keys',
    ),
    rule: message('refusal.registration-too-long.rule'),
    expected: message('refusal.registration-too-long.expected', { limit: most }),
    seen: message('refusal.registration-too-long.seen'),
    advice: message('refusal.registration-too-long.advice'),
  }),
  'software-statement-untrusted': ({ issuer, trusted }) => ({
    wire: wire('unapproved_software_statement', 'this server does not trust the issuer of the software statement'),
    rule: message('refusal.software-statement-untrusted.rule'),
    expected: message('refusal.software-statement-untrusted.expected', { trusted: formatList(trusted) }),
    seen: issuer,
    advice: message('refusal.software-statement-untrusted.advice'),
  }),
  'software-statement-invalid': ({ problem }) => ({
    wire: wire('invalid_software_statement', 'the software statement cannot be verified, or is not currently valid'),
    rule: message('refusal.software-statement-invalid.rule'),
    expected: message('refusal.software-statement-invalid.expected'),
    seen: message('refusal.software-statement-invalid.seen', { problem }),
    advice: message('refusal.software-statement-invalid.advice'),
  }),
  'registration-token-missing': () => ({
    wire: wire('invalid_token', 'the registration access token is missing', 401),
    rule: message('refusal.registration-token-missing.rule'),
    expected: message('refusal.registration-token-missing.expected'),
    seen: message('refusal.registration-token-missing.seen'),
    advice: TOKEN_ADVICE,
  }),
  'registration-token-wrong': () => ({
    wire: wire('invalid_token', 'the registration access token does not belong to this client', 401),
    rule: message('refusal.registration-token-wrong.rule'),
    expected: message('refusal.registration-token-wrong.expected'),
    seen: message('refusal.registration-token-wrong.seen'),
    advice: TOKEN_ADVICE,
  }),
  'registration-not-recorded': () => ({
    wire: wire(
      'invalid_client_metadata',
      'this registration cannot be changed until a user has authorized the client; register again instead',
      403,
    ),
    rule: message('refusal.registration-not-recorded.rule'),
    expected: message('refusal.registration-not-recorded.expected'),
    seen: message('refusal.registration-not-recorded.seen'),
    advice: message('refusal.registration-not-recorded.advice'),
  }),
};
