import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { formatList } from '../list-text.ts';
import { credentialName } from '../credential-text.ts';
import type { RefusalOf } from '../refusal.ts';
import { type Messages, wire, type ProtocolMessagesFor } from '../messages.ts';

/** The error that introspection reports, whatever the cause. Protected operations respond as RFC 6750 specifies. */
export const INVALID_BEARER_TOKEN = wire(
  'invalid_client',
  'the bearer token is invalid, has expired, is for a different resource server, or lacks the introspection scope',
);

const PROOF_ADVICE = message('refusal.tokens.proof-advice');
const CERTIFICATE_ADVICE = message('refusal.tokens.certificate-advice');
const BOUND_KEY = message('refusal.tokens.bound-key');
const BOUND_CERTIFICATE = message('refusal.tokens.bound-certificate');

const UNPROVEN_SENDERS: Readonly<
  Record<RefusalOf<'sender-not-proven'>['problem'], Pick<Messages, 'expected' | 'seen' | 'advice'>>
> = {
  'sent-as-bearer': {
    expected: BOUND_KEY,
    seen: message('refusal.tokens.unproven-senders.sent-as-bearer.seen'),
    advice: PROOF_ADVICE,
  },
  'proof-missing': {
    expected: BOUND_KEY,
    seen: message('refusal.tokens.unproven-senders.proof-missing.seen'),
    advice: PROOF_ADVICE,
  },
  'another-key': {
    expected: BOUND_KEY,
    seen: message('refusal.tokens.unproven-senders.another-key.seen'),
    advice: PROOF_ADVICE,
  },
  'certificate-missing': {
    expected: BOUND_CERTIFICATE,
    seen: message('refusal.tokens.unproven-senders.certificate-missing.seen'),
    advice: CERTIFICATE_ADVICE,
  },
  'certificate-refused': {
    expected: BOUND_CERTIFICATE,
    seen: message('refusal.tokens.unproven-senders.certificate-refused.seen'),
    advice: CERTIFICATE_ADVICE,
  },
  'another-certificate': {
    expected: BOUND_CERTIFICATE,
    seen: message('refusal.tokens.unproven-senders.another-certificate.seen'),
    advice: CERTIFICATE_ADVICE,
  },
};

/**
 * Messages about access tokens with which callers authenticate, at the introspection endpoint and for protected
 * operations.
 */
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
    wire: wire('invalid_request', 'the access token must be sent in either the header or the body, not in both'),
    rule: message('refusal.token-sent-twice.rule'),
    expected: message('refusal.token-sent-twice.expected'),
    seen: message('refusal.token-sent-twice.seen'),
    advice: message('refusal.token-sent-twice.advice'),
  }),
  'token-unknown': ({ form }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.token-unknown.rule'),
    expected: message('refusal.token-unknown.expected'),
    seen:
      form === 'access token' || form === 'JWT'
        ? message('refusal.token-unknown.seen')
        : form === 'incomplete'
          ? message('refusal.token-unknown.seen-2')
          : form === 'other'
            ? message('refusal.token-unknown.seen-3')
            : message('refusal.token-unknown.seen-4', { form: credentialName(form) }),
    advice: message('refusal.token-unknown.advice'),
  }),
  'token-expired': ({ secondsAgo }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.token-expired.rule'),
    expected: message('refusal.token-expired.expected'),
    seen: message('refusal.token-expired.seen', { duration: durationMessage(secondsAgo) }),
    advice: message('refusal.token-expired.advice'),
  }),
  'token-superseded': ({ secondsAgo, position }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.token-superseded.rule'),
    expected: message('refusal.token-superseded.expected'),
    seen: message('refusal.token-superseded.seen', { position, duration: durationMessage(secondsAgo) }),
    advice: message('refusal.token-superseded.advice'),
  }),
  'token-key-retired': ({ kid }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.token-key-retired.rule'),
    expected: message('refusal.token-key-retired.expected'),
    seen: message('refusal.token-key-retired.seen', { kid }),
    advice: message('refusal.token-key-retired.advice'),
  }),
  'token-client-removed': () => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.token-client-removed.rule'),
    expected: message('refusal.token-client-removed.expected'),
    seen: message('refusal.token-client-removed.seen'),
    advice: message('refusal.token-client-removed.advice'),
  }),
  'token-client-disabled': () => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.token-client-disabled.rule'),
    expected: message('refusal.token-client-disabled.expected'),
    seen: message('refusal.token-client-disabled.seen'),
    advice: message('refusal.token-client-disabled.advice'),
  }),
  'token-for-other-resource': ({ resource, here }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.token-for-other-resource.rule'),
    expected: here ?? message('refusal.token-for-other-resource.expected'),
    seen: message('refusal.token-for-other-resource.seen', { resource: formatList(resource) }),
    advice: message('refusal.token-for-other-resource.advice'),
  }),
  'sender-not-proven': ({ problem }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.sender-not-proven.rule'),
    ...UNPROVEN_SENDERS[problem],
  }),
  'token-unbound': ({ needed }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: needed === 'scheme' ? message('refusal.token-unbound.rule') : message('refusal.token-unbound.rule-2'),
    expected:
      needed === 'scheme' ? message('refusal.token-unbound.expected') : message('refusal.token-unbound.expected-2'),
    seen: message('refusal.token-unbound.seen'),
    advice: needed === 'scheme' ? message('refusal.token-unbound.advice') : message('refusal.token-unbound.advice-2'),
  }),
  'token-lacks-scope': ({ alternatives, held }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.token-lacks-scope.rule'),
    expected: formatAlternatives(alternatives),
    seen: message('refusal.token-lacks-scope.seen', {
      held: formatList(held),
      missing: formatAlternatives(alternatives.map((scope) => scope.filter((name) => !held.includes(name)))),
    }),
    advice: message('refusal.token-lacks-scope.advice'),
  }),
};

function formatAlternatives(alternatives: readonly (readonly string[])[]): Text {
  const scopes = alternatives.map((scope): Text => scope.join(' '));
  return scopes.length === 0 ? '' : scopes.reduce((one, other) => message('refusal.or-also', { one, other }));
}
