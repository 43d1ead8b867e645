import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { formatList } from '../list-text.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

/**
 * Sent for every cause except a missing assertion, a wrong type or an excessive length, so that attackers learn
 * nothing.
 */
const ASSERTION_REFUSED = wire(
  'invalid_client',
  'client authentication failed: the client assertion is not valid; the owner of the application can see why',
);

function describeTime({ problem, seconds }: RefusalOf<'assertion-time'>): Text {
  switch (problem) {
    case 'no-expiry':
      return message('refusal.assertions.seen-time');
    case 'expired':
      return message('refusal.assertions.seen-time-2', { duration: durationMessage(seconds) });
    case 'too-long':
      return message('refusal.assertions.seen-time-3', { duration: durationMessage(seconds) });
    case 'not-yet':
      return message('refusal.assertions.seen-time-4', { duration: durationMessage(seconds) });
  }
}

/** Messages about client assertions: `private_key_jwt` (RFC 7523 §2.2, OpenID Connect Core §9). */
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
    rule: message('refusal.assertion-type.rule'),
    expected: message('refusal.assertion-type.expected'),
    seen: seen === 'no assertion' ? message('refusal.assertion-type.seen') : message('refusal.assertion-type.seen-2'),
    advice: message('refusal.assertion-type.advice'),
  }),
  'assertion-malformed': () => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-malformed.rule'),
    expected: message('refusal.assertion-malformed.expected'),
    seen: message('refusal.assertion-malformed.seen'),
    advice: message('refusal.assertion-malformed.advice'),
  }),
  'assertion-too-long': ({ most, length }) => ({
    wire: wire('invalid_client', `client_assertion is longer than ${most} characters`),
    rule: message('refusal.assertion-too-long.rule'),
    expected: message('refusal.assertion-too-long.expected', { limit: most }),
    seen: message('refusal.assertion-too-long.seen', { length }),
    advice: message('refusal.assertion-too-long.advice'),
  }),
  'assertion-issuer': ({ differs }) => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-issuer.rule'),
    expected: message('refusal.assertion-issuer.expected'),
    seen: differs === 'sub' ? message('refusal.assertion-issuer.seen') : message('refusal.assertion-issuer.seen-2'),
    advice: message('refusal.assertion-issuer.advice'),
  }),
  'assertion-client-unknown': ({ length, isAddress }) => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-client-unknown.rule'),
    expected: message('refusal.assertion-client-unknown.expected'),
    seen: message('refusal.assertion-client-unknown.seen', { length }),
    advice: isAddress
      ? message('refusal.assertion-client-unknown.advice')
      : message('refusal.assertion-client-unknown.advice-2'),
  }),
  'assertion-algorithm': ({ seen, allowed }) => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-algorithm.rule'),
    expected: message('refusal.assertion-algorithm.expected', { allowed: formatList(allowed) }),
    seen,
    advice: message('refusal.assertion-algorithm.advice'),
  }),
  'assertion-key-unknown': ({ seen, algorithm, known }) => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-key-unknown.rule'),
    expected: message('refusal.assertion-key-unknown.expected', { algorithm, keys: formatList(known) }),
    seen:
      seen === null
        ? message('refusal.assertion-key-unknown.seen', { algorithm })
        : message('refusal.assertion-key-unknown.seen-2', { seen }),
    advice: message('refusal.assertion-key-unknown.advice'),
  }),
  'client-keys-unreadable': ({ problem }) => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.client-keys-unreadable.rule'),
    expected: message('refusal.client-keys-unreadable.expected'),
    seen: message('refusal.client-keys-unreadable.seen', { problem }),
    advice: message('refusal.client-keys-unreadable.advice'),
  }),
  'assertion-signature-wrong': ({ tried }) => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-signature-wrong.rule'),
    expected: message('refusal.assertion-signature-wrong.expected'),
    seen:
      tried === 1
        ? message('refusal.assertion-signature-wrong.seen')
        : message('refusal.assertion-signature-wrong.seen-2', { tried }),
    advice: message('refusal.assertion-signature-wrong.advice'),
  }),
  'assertion-audience': ({ expected, seen }) => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-audience.rule'),
    expected: message('refusal.assertion-audience.expected', { expected }),
    seen,
    advice: message('refusal.assertion-audience.advice'),
  }),
  'assertion-time': (refusal) => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-time.rule'),
    expected: message('refusal.assertion-time.expected', { duration: durationMessage(refusal.mostSeconds) }),
    seen: describeTime(refusal),
    advice: message('refusal.assertion-time.advice'),
  }),
  'assertion-without-id': ({ most }) => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-without-id.rule'),
    expected: message('refusal.assertion-without-id.expected', { limit: most }),
    seen: message('refusal.assertion-without-id.seen'),
    advice: message('refusal.assertion-without-id.advice'),
  }),
  'assertion-replayed': () => ({
    wire: ASSERTION_REFUSED,
    rule: message('refusal.assertion-replayed.rule'),
    expected: message('refusal.assertion-replayed.expected'),
    seen: message('refusal.assertion-replayed.seen'),
    advice: message('refusal.assertion-replayed.advice'),
  }),
};
