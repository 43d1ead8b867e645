import type { RefusalOf } from '../refusal.ts';
import { formatDuration, formatList, wire, type ProtocolMessagesFor } from '../messages.ts';

/** Sent by introspection, with the same text for every cause. Protected operations respond as in RFC 6750. */
export const INVALID_BEARER_TOKEN = wire(
  'invalid_client',
  'the bearer token is invalid, expired, for another resource server, or lacks the scope introspection',
);

const PROOF_ADVICE =
  'Send Authorization: DPoP with a new proof in the header DPoP, signed with the key of the token request. If you ' +
  'did, somebody else may have the token.';
const CERTIFICATE_ADVICE =
  'Send the certificate of the token request. A proxy that ends TLS must pass it on in Client-Cert. If you did, ' +
  'somebody else may have the token.';
const BOUND_KEY = 'a proof with the key that the token is bound to';
const BOUND_CERTIFICATE = 'the certificate that the token is bound to';

const UNPROVEN_SENDERS: Readonly<
  Record<RefusalOf<'sender-not-proven'>['problem'], { expected: string; seen: string; advice: string }>
> = {
  'sent-as-bearer': { expected: BOUND_KEY, seen: 'a bearer token', advice: PROOF_ADVICE },
  'proof-missing': { expected: BOUND_KEY, seen: 'no proof that can be read', advice: PROOF_ADVICE },
  'another-key': { expected: BOUND_KEY, seen: 'a proof with another key', advice: PROOF_ADVICE },
  'certificate-missing': { expected: BOUND_CERTIFICATE, seen: 'no certificate', advice: CERTIFICATE_ADVICE },
  'certificate-refused': {
    expected: BOUND_CERTIFICATE,
    seen: 'a certificate that is malformed, not valid now, or from a hop that is not trusted',
    advice: CERTIFICATE_ADVICE,
  },
  'another-certificate': { expected: BOUND_CERTIFICATE, seen: 'another certificate', advice: CERTIFICATE_ADVICE },
};

/** Bearer tokens, at introspection and at protected operations. */
export const TOKEN_MESSAGES: ProtocolMessagesFor<
  | 'token-sent-twice'
  | 'token-unknown'
  | 'token-expired'
  | 'token-superseded'
  | 'token-key-retired'
  | 'token-client-removed'
  | 'token-client-disabled'
  | 'token-for-other-resource'
  | 'token-lacks-scope'
  | 'sender-not-proven'
  | 'token-unbound'
> = {
  'token-sent-twice': () => ({
    wire: wire('invalid_request', 'the access token must be sent in the header or in the body, not in both'),
    rule: 'A request must send its access token once (RFC 6750 §2).',
    expected: 'an Authorization header, or access_token in the body',
    seen: 'both',
    advice: 'Send the token only in the Authorization header.',
  }),
  'token-unknown': ({ form }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'Unknown access token.',
    expected: 'a valid access token',
    seen:
      form === 'access token' || form === 'JWT'
        ? 'a token that this server does not know: issued elsewhere, expired long ago, or revoked'
        : form === 'incomplete'
          ? 'a truncated or mistyped credential'
          : form === 'other'
            ? 'a value that this server did not issue'
            : `a different kind of credential: ${form}`,
    advice: 'Send the access_token of the newest response, complete and unchanged.',
  }),
  'token-expired': ({ secondsAgo }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'The access token has expired.',
    expected: 'an unexpired token',
    seen: `expired ${formatDuration(secondsAgo)} ago`,
    advice: 'Refresh it when expires_in has passed, or when a response contains invalid_token.',
  }),
  'token-superseded': ({ secondsAgo, position }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'An access token expires refreshReuseWindowSeconds after its refresh token was used.',
    expected: 'the access token of the newest refresh',
    seen:
      `a token that a refresh superseded (position ${position} of the log) ` +
      `and that expired ${formatDuration(secondsAgo)} ago`,
    advice: 'Use the access token of the newest response. Refresh in one process and share its response.',
  }),
  'token-key-retired': ({ kid }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'A JWT access token is invalid once the operator has retired the key that signed it.',
    expected: 'a token that another key signed',
    seen: `a token that the key ${kid} signed, which the operator retired early`,
    advice: 'Refresh the token, or request a new one. See: grantlog key list',
  }),
  'token-client-removed': () => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'Tokens end when their application is deleted.',
    expected: 'a registered application',
    seen: 'one that was deleted',
    advice: 'Register the application again.',
  }),
  'token-client-disabled': () => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'Tokens of an application are refused while an administrator has disabled it.',
    expected: 'an application that is enabled',
    seen: 'one that is disabled',
    advice: 'Ask an administrator to enable the application. Tokens that have not expired then work again.',
  }),
  'token-for-other-resource': ({ resource, here }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'A token that is restricted to resource servers is valid only there (RFC 8707).',
    expected: here ?? 'an unrestricted token',
    seen: `a token for ${formatList(resource)}`,
    advice: 'Request a token with this server as resource.',
  }),
  'sender-not-proven': ({ problem }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'Only the holder of the key or certificate that a token is bound to can use it (RFC 9449 §7.1, RFC 8705 §3).',
    ...UNPROVEN_SENDERS[problem],
  }),
  'token-unbound': ({ needed }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule:
      needed === 'scheme'
        ? 'The scheme DPoP is for tokens that are bound to a key (RFC 9449 §7.1).'
        : 'The operation accepts only tokens that are bound to a key or certificate.',
    expected: needed === 'scheme' ? 'a token that is bound to a key' : 'a token that is bound to its sender',
    seen: 'a token that anybody can use who has it',
    advice:
      needed === 'scheme'
        ? 'Send it with the scheme Bearer, or request a token with a DPoP proof.'
        : 'Request a token with a DPoP proof, or with a client certificate.',
  }),
  'token-lacks-scope': ({ alternatives, held }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'The token lacks a scope that this operation requires.',
    expected: formatAlternatives(alternatives),
    seen: `a token with ${formatList(held)}; missing ${formatAlternatives(
      alternatives.map((scope) => scope.filter((name) => !held.includes(name))),
    )}`,
    advice: 'Request these scopes with the token.',
  }),
};

function formatAlternatives(alternatives: readonly (readonly string[])[]): string {
  return alternatives.map((scope) => scope.join(' ')).join(', or ');
}
