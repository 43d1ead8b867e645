import type { SubjectMappingKind } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { formatList } from '../list-text.ts';
import { issuerUseName } from '../named-choices.ts';
import type { ForeignParameter, IssuerRefusal } from '../issuer-refusal.ts';
import { wire, type ProtocolMessagesFor, type WireError } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

/**
 * Returns the error for a JWT. An assertion is a grant (RFC 7521 §4.1.1), whereas a token in an exchange is part of the
 * request (RFC 8693 §2.2.2).
 */
function jwtError(parameter: ForeignParameter, problem: string): WireError {
  return wire(parameter === 'assertion' ? 'invalid_grant' : 'invalid_request', `the ${parameter} ${problem}`);
}

const LIMIT_SOURCES = { issuer: "the issuer's record", assertion: 'the assertion itself' } as const;
/** The mappings that the message calls by a different name. */
const MAPPING_CHOICES: Partial<Record<SubjectMappingKind, string>> = { 'user-name': 'name', 'verified-email': 'email' };
const RECORD_ADVICE = message('refusal.issuers.record-advice');

function describeTime({ problem, seconds }: RefusalOf<'issuer-time'>): Text {
  const span = durationMessage(Math.abs(seconds));
  switch (problem) {
    case 'no-expiry':
      return message('refusal.issuers.seen-time');
    case 'expired':
      return message('refusal.issuers.seen-time-2', { span });
    case 'too-long':
      return message('refusal.issuers.seen-time-3', { span });
    case 'too-old':
      return message('refusal.issuers.seen-time-4', { span });
    case 'not-yet':
      return message('refusal.issuers.seen-time-5', { span });
  }
}

/** Messages about JWTs from other issuers, used as assertions (RFC 7523) and in token exchanges (RFC 8693). */
export const ISSUER_MESSAGES: ProtocolMessagesFor<IssuerRefusal['rule']> = {
  'issuer-token-malformed': ({ parameter }) => ({
    wire: jwtError(parameter, 'is not a JWT that this server can read'),
    rule: message('refusal.issuer-token-malformed.rule'),
    expected: message('refusal.issuer-token-malformed.expected'),
    seen: message('refusal.issuer-token-malformed.seen'),
    advice: message('refusal.issuer-token-malformed.advice'),
  }),
  'issuer-token-type': ({ parameter, expected, seen }) => ({
    wire: jwtError(parameter, 'is a JWT for a different purpose'),
    rule: message('refusal.issuer-token-type.rule'),
    expected: message('refusal.issuer-token-type.expected', { expected: formatList(expected) }),
    seen,
    advice: message('refusal.issuer-token-type.advice'),
  }),
  'issuer-untrusted': ({ parameter, seen }) => ({
    wire: jwtError(parameter, 'is from an issuer that is not trusted'),
    rule: message('refusal.issuer-untrusted.rule'),
    expected: message('refusal.issuer-untrusted.expected'),
    seen,
    advice: message('refusal.issuer-untrusted.advice'),
  }),
  'issuer-use': ({ parameter, use, allowed }) => ({
    wire: jwtError(parameter, `is from an issuer that is not trusted for this use: ${use}`),
    rule: message('refusal.issuer-use.rule'),
    expected: formatList(allowed.map(issuerUseName)),
    seen: issuerUseName(use),
    advice: RECORD_ADVICE,
  }),
  'issuer-client': ({ parameter }) => ({
    wire: jwtError(parameter, 'may not be presented by this client'),
    rule: message('refusal.issuer-client.rule'),
    expected: message('refusal.issuer-client.expected'),
    seen: message('refusal.issuer-client.seen'),
    advice: RECORD_ADVICE,
  }),
  'issuer-algorithm': ({ parameter, seen, allowed }) => ({
    wire: jwtError(parameter, 'is not signed with an accepted algorithm'),
    rule: message('refusal.issuer-algorithm.rule'),
    expected: message('refusal.issuer-algorithm.expected', { allowed: formatList(allowed) }),
    seen,
    advice: message('refusal.issuer-algorithm.advice'),
  }),
  'issuer-key-unknown': ({ parameter, seen, algorithm, known }) => ({
    wire: jwtError(parameter, 'is signed with an unknown key'),
    rule: message('refusal.issuer-key-unknown.rule'),
    expected: message('refusal.issuer-key-unknown.expected', { algorithm, keys: formatList(known) }),
    seen:
      seen === null
        ? message('refusal.issuer-key-unknown.seen', { algorithm })
        : message('refusal.issuer-key-unknown.seen-2', { seen }),
    advice: message('refusal.issuer-key-unknown.advice'),
  }),
  'issuer-keys-unreadable': ({ parameter, problem }) => ({
    wire: jwtError(parameter, "cannot be verified: its issuer's keys could not be read"),
    rule: message('refusal.issuer-keys-unreadable.rule'),
    expected: message('refusal.issuer-keys-unreadable.expected'),
    seen: message('refusal.issuer-keys-unreadable.seen', { problem }),
    advice: message('refusal.issuer-keys-unreadable.advice'),
  }),
  'issuer-signature-wrong': ({ parameter, tried }) => ({
    wire: jwtError(parameter, "has a signature that cannot be verified with any of its issuer's keys"),
    rule: message('refusal.issuer-signature-wrong.rule'),
    expected: message('refusal.issuer-signature-wrong.expected'),
    seen:
      tried === 1
        ? message('refusal.issuer-signature-wrong.seen')
        : message('refusal.issuer-signature-wrong.seen-2', { tried }),
    advice: message('refusal.issuer-signature-wrong.advice'),
  }),
  'issuer-audience': ({ parameter, expected, seen }) => ({
    wire: jwtError(parameter, 'is for a different audience'),
    rule: message('refusal.issuer-audience.rule'),
    expected: message('refusal.issuer-audience.expected', { expected: formatList(expected) }),
    seen,
    advice: message('refusal.issuer-audience.advice'),
  }),
  'issuer-time': (refusal) => ({
    wire: jwtError(refusal.parameter, 'is not currently valid, or is valid for too long'),
    rule: message('refusal.issuer-time.rule'),
    expected: message('refusal.issuer-time.expected', { duration: durationMessage(refusal.mostSeconds) }),
    seen: describeTime(refusal),
    advice: message('refusal.issuer-time.advice'),
  }),
  'issuer-claim': ({ parameter, name, expected, seen }) => ({
    wire: jwtError(parameter, "lacks a claim or claim value that its issuer's record requires"),
    rule: message('refusal.issuer-claim.rule'),
    expected: message('refusal.issuer-claim.expected', { name, expected }),
    seen,
    advice: RECORD_ADVICE,
  }),
  'issuer-subject': ({ parameter, mapping }) => ({
    wire: jwtError(parameter, 'does not identify a user who may log in here'),
    rule: message('refusal.issuer-subject.rule'),
    expected: message('refusal.issuer-subject.expected', { mapping: MAPPING_CHOICES[mapping] ?? mapping }),
    seen: message('refusal.issuer-subject.seen'),
    advice: RECORD_ADVICE,
  }),
  'issuer-act': ({ parameter, isSelf }) => ({
    wire: jwtError(parameter, isSelf ? 'names its own subject as the actor' : 'names an actor'),
    rule: message('refusal.issuer-act.rule'),
    expected: message('refusal.issuer-act.expected'),
    seen: isSelf ? message('refusal.issuer-act.seen') : message('refusal.issuer-act.seen-2'),
    advice: message('refusal.issuer-act.advice'),
  }),
  'issuer-scope-beyond': ({ limit, missing, allowed }) => ({
    wire: wire('invalid_scope', `the requested scope exceeds what ${LIMIT_SOURCES[limit]} allows`),
    rule: message('refusal.issuer-scope-beyond.rule'),
    expected: message('refusal.issuer-scope-beyond.expected', { allowed: formatList(allowed) }),
    seen: formatList(missing),
    advice: message('refusal.issuer-scope-beyond.advice'),
  }),
  'issuer-resource-beyond': ({ limit, missing, allowed }) => ({
    wire: wire('invalid_target', `the request is for a resource server that ${LIMIT_SOURCES[limit]} does not allow`),
    rule: message('refusal.issuer-resource-beyond.rule'),
    expected: message('refusal.issuer-resource-beyond.expected', { allowed: formatList(allowed) }),
    seen: formatList(missing),
    advice: message('refusal.issuer-resource-beyond.advice'),
  }),
  'issuer-no-scope-left': () => ({
    wire: wire('invalid_scope', "the limits in the issuer's record and in the token leave no scope"),
    rule: message('refusal.issuer-no-scope-left.rule'),
    expected: message('refusal.issuer-no-scope-left.expected'),
    seen: message('refusal.issuer-no-scope-left.seen'),
    advice: RECORD_ADVICE,
  }),
  'issuer-no-resource-left': () => ({
    wire: wire('invalid_target', "the limits in the issuer's record and in the token leave no resource server"),
    rule: message('refusal.issuer-no-resource-left.rule'),
    expected: message('refusal.issuer-no-resource-left.expected'),
    seen: message('refusal.issuer-no-resource-left.seen'),
    advice: RECORD_ADVICE,
  }),
  'issuer-token-replayed': () => ({
    wire: wire('invalid_grant', 'the assertion has already been redeemed'),
    rule: message('refusal.issuer-token-replayed.rule'),
    expected: message('refusal.issuer-token-replayed.expected'),
    seen: message('refusal.issuer-token-replayed.seen'),
    advice: message('refusal.issuer-token-replayed.advice'),
  }),
  'issuer-second-factor': () => ({
    wire: wire('invalid_grant', 'this client requires a login with a second factor, which an assertion cannot prove'),
    rule: message('refusal.issuer-second-factor.rule'),
    expected: message('refusal.issuer-second-factor.expected'),
    seen: message('refusal.issuer-second-factor.seen'),
    advice: message('refusal.issuer-second-factor.advice'),
  }),
};
