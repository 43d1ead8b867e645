import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { formatList } from '../list-text.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

const invalidObject = (problem: string) => wire('invalid_request_object', `the request object ${problem}`);

const PROBLEMS: Readonly<Record<RefusalOf<'request-object-malformed'>['problem'], Text>> = {
  'not-a-jwt': message('refusal.request-objects.problems.not-a-jwt'),
  encrypted: message('refusal.request-objects.problems.encrypted'),
  nested: message('refusal.request-objects.problems.nested'),
  critical: message('refusal.request-objects.problems.critical'),
};

function describeTime({ problem, seconds, mostSeconds }: RefusalOf<'request-object-time'>): Text {
  switch (problem) {
    case 'no-expiry':
      return message('refusal.request-objects.seen-time');
    case 'no-start':
      return message('refusal.request-objects.seen-time-2');
    case 'expired':
      return message('refusal.request-objects.seen-time-3', { duration: durationMessage(seconds) });
    case 'too-long':
      return message('refusal.request-objects.seen-time-4', {
        duration: durationMessage(seconds),
        duration2: durationMessage(mostSeconds),
      });
    case 'not-yet':
      return message('refusal.request-objects.seen-time-5', { duration: durationMessage(seconds) });
    case 'too-old':
      return message('refusal.request-objects.seen-time-6', { duration: durationMessage(seconds) });
  }
}

/** Messages about signed requests (RFC 9101, OpenID Connect Core §6). */
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
    rule: message('refusal.request-objects-mixed.rule'),
    expected: message('refusal.request-objects-mixed.expected'),
    seen: message('refusal.request-objects-mixed.seen'),
    advice: message('refusal.request-objects-mixed.advice'),
  }),
  'request-object-missing': () => ({
    wire: wire('invalid_request', 'this client must send a signed request object'),
    rule: message('refusal.request-object-missing.rule'),
    expected: message('refusal.request-object-missing.expected'),
    seen: message('refusal.request-object-missing.seen'),
    advice: message('refusal.request-object-missing.advice'),
  }),
  'request-object-malformed': ({ problem }) => ({
    wire: invalidObject('must be a signed JWT'),
    rule: message('refusal.request-object-malformed.rule'),
    expected: message('refusal.request-object-malformed.expected'),
    seen: PROBLEMS[problem],
    advice: message('refusal.request-object-malformed.advice'),
  }),
  'request-object-type': ({ seen }) => ({
    wire: invalidObject('is a JWT of a different type'),
    rule: message('refusal.request-object-type.rule'),
    expected: message('refusal.request-object-type.expected'),
    seen,
    advice: message('refusal.request-object-type.advice'),
  }),
  'request-object-algorithm': ({ seen, allowed }) => ({
    wire: invalidObject('uses an algorithm that is not allowed'),
    rule: message('refusal.request-object-algorithm.rule'),
    expected: formatList(allowed),
    seen,
    advice: message('refusal.request-object-algorithm.advice'),
  }),
  'request-object-key-unknown': ({ seen, algorithm, known }) => ({
    wire: invalidObject('is not signed with a registered key'),
    rule: message('refusal.request-object-key-unknown.rule'),
    expected: message('refusal.request-object-key-unknown.expected', { algorithm, keys: formatList(known) }),
    seen:
      seen === null
        ? message('refusal.request-object-key-unknown.seen')
        : message('refusal.request-object-key-unknown.seen-2', { seen }),
    advice: message('refusal.request-object-key-unknown.advice'),
  }),
  'request-object-keys-unreadable': ({ problem }) => ({
    wire: invalidObject('cannot be verified: the keys at jwks_uri cannot be read'),
    rule: message('refusal.request-object-keys-unreadable.rule'),
    expected: message('refusal.request-object-keys-unreadable.expected'),
    seen: message('refusal.request-object-keys-unreadable.seen', { problem }),
    advice: message('refusal.request-object-keys-unreadable.advice'),
  }),
  'request-object-signature-wrong': ({ tried }) => ({
    wire: invalidObject('has an invalid signature'),
    rule: message('refusal.request-object-signature-wrong.rule'),
    expected: message('refusal.request-object-signature-wrong.expected'),
    seen: message('refusal.request-object-signature-wrong.seen', { tried }),
    advice: message('refusal.request-object-signature-wrong.advice'),
  }),
  'request-object-claim': ({ claim, expected, seen }) => ({
    wire: invalidObject(`has an invalid ${claim}`),
    rule: message('refusal.request-object-claim.rule'),
    expected: message('refusal.request-object-claim.expected', { claim, expected }),
    seen: message('refusal.request-object-claim.seen', { claim, seen }),
    advice: message('refusal.request-object-claim.advice'),
  }),
  'request-object-time': ({ mostSeconds, ...time }) => ({
    wire: invalidObject('is not currently valid, or is valid for too long'),
    rule: message('refusal.request-object-time.rule'),
    expected: message('refusal.request-object-time.expected', { duration: durationMessage(mostSeconds) }),
    seen: describeTime({ mostSeconds, ...time }),
    advice: message('refusal.request-object-time.advice'),
  }),
  'request-object-parameter': ({ parameter, expected }) => ({
    wire: invalidObject(`has a malformed ${parameter}`),
    rule: message('refusal.request-object-parameter.rule'),
    expected: message('refusal.request-object-parameter.expected', { parameter, expected }),
    seen: message('refusal.request-object-parameter.seen'),
    advice: message('refusal.request-object-parameter.advice', { parameter }),
  }),
  'request-object-contradicted': ({ parameter }) => ({
    wire: wire('invalid_request', `${parameter} differs from the value in the request object`),
    rule: message('refusal.request-object-contradicted.rule'),
    expected: message('refusal.request-object-contradicted.expected', { parameter }),
    seen: message('refusal.request-object-contradicted.seen', { parameter }),
    advice: message('refusal.request-object-contradicted.advice'),
  }),
};
