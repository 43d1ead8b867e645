import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { formatList } from '../list-text.ts';
import { wire, type ProtocolMessagesFor, type WireError } from '../messages.ts';
import type { CertificateUse } from '../client-refusal.ts';
import type { RefusalOf } from '../refusal.ts';

/** These errors do not reveal the cause, which only the owner of the application and the operator can see. */
const REFUSED_ERRORS: Readonly<Record<CertificateUse, WireError>> = {
  authentication: wire(
    'invalid_client',
    'client authentication failed: the client certificate is not accepted; the owner of the application can see why',
  ),
  binding: wire('invalid_request', 'the client certificate is not accepted; the owner of the application can see why'),
};
const MISSING_ERRORS: Readonly<Record<CertificateUse, WireError>> = {
  authentication: wire('invalid_client', 'client authentication failed: the client must present its TLS certificate'),
  binding: wire('invalid_request', "the client's tokens are bound to its TLS certificate, which it must present"),
};

const SUBJECTS = {
  subject_dn: message('refusal.certificates.subjects.subject-dn'),
  san_dns: message('refusal.certificates.subjects.san-dns'),
  san_uri: message('refusal.certificates.subjects.san-uri'),
  san_ip: message('refusal.certificates.subjects.san-ip'),
  san_email: message('refusal.certificates.subjects.san-email'),
} as const;

function describeProblem(refusal: RefusalOf<'certificate-refused'>): Text {
  switch (refusal.problem) {
    case 'untrusted-hop':
      return message('refusal.certificates.seen-problem');
    case 'malformed':
      return refusal.header === 'TLS'
        ? message('refusal.certificates.seen-problem-2')
        : message('refusal.certificates.seen-problem-3', { header: refusal.header });
    case 'expired':
      return message('refusal.certificates.seen-problem-4', { duration: durationMessage(refusal.seconds) });
    case 'not-yet-valid':
      return message('refusal.certificates.seen-problem-5', { duration: durationMessage(refusal.seconds) });
    case 'weak-key':
      return message('refusal.certificates.seen-problem-6', { weakness: refusal.weakness });
    case 'weak-signature':
      return message('refusal.certificates.seen-problem-7', { weakness: refusal.weakness });
  }
}

function adviceFor(refusal: RefusalOf<'certificate-refused'>): Text {
  switch (refusal.problem) {
    case 'untrusted-hop':
      return message('refusal.certificates.advice-for');
    case 'malformed':
      return refusal.header === 'TLS'
        ? message('refusal.certificates.advice-for-7')
        : message('refusal.certificates.advice-for-2');
    case 'expired':
      return message('refusal.certificates.advice-for-3');
    case 'not-yet-valid':
      return message('refusal.certificates.advice-for-4');
    case 'weak-key':
      return message('refusal.certificates.advice-for-5');
    case 'weak-signature':
      return message('refusal.certificates.advice-for-6');
  }
}

function describeChain(refusal: RefusalOf<'certificate-chain'>): Text {
  switch (refusal.problem) {
    case 'unknown-issuer':
      return refusal.hasAuthorities
        ? message('refusal.certificates.seen-chain')
        : message('refusal.certificates.seen-chain-2');
    case 'purpose':
      return message('refusal.certificates.seen-chain-3');
    case 'purpose-of-issuer':
      return message('refusal.certificates.seen-chain-4');
    case 'weak-issuer':
      return message('refusal.certificates.seen-chain-5', { weakness: refusal.weakness });
    case 'unchecked-extension':
      return message('refusal.certificates.seen-chain-6', { id: refusal.id });
  }
}

function describeRegisteredKeys(count: number): Text {
  if (count === 0) return message('refusal.certificate-key-unknown.expected-3');
  return count === 1
    ? message('refusal.certificate-key-unknown.expected')
    : message('refusal.certificate-key-unknown.expected-2', { keys: count });
}

/** Messages about client certificates (RFC 8705, RFC 9440). */
export const CERTIFICATE_MESSAGES: ProtocolMessagesFor<
  | 'certificate-missing'
  | 'certificate-refused'
  | 'certificate-chain'
  | 'certificate-subject-differs'
  | 'certificate-key-unknown'
> = {
  'certificate-missing': ({ use, at }) => ({
    wire: MISSING_ERRORS[use],
    rule:
      use === 'authentication'
        ? message('refusal.certificate-missing.rule')
        : message('refusal.certificate-missing.rule-2'),
    expected: message('refusal.certificate-missing.expected'),
    seen: message('refusal.certificate-missing.seen'),
    advice:
      at === null
        ? message('refusal.certificate-missing.advice')
        : message('refusal.certificate-missing.advice-2', { at }),
  }),
  'certificate-refused': (refusal) => ({
    wire: REFUSED_ERRORS[refusal.use],
    rule: message('refusal.certificate-refused.rule'),
    expected: message('refusal.certificate-refused.expected'),
    seen: describeProblem(refusal),
    advice: adviceFor(refusal),
  }),
  'certificate-chain': (refusal) => ({
    wire: REFUSED_ERRORS.authentication,
    rule: message('refusal.certificate-chain.rule'),
    expected: message('refusal.certificate-chain.expected'),
    seen: describeChain(refusal),
    advice: message('refusal.certificate-chain.advice'),
  }),
  'certificate-subject-differs': ({ kind, expected, seen }) => ({
    wire: REFUSED_ERRORS.authentication,
    rule: message('refusal.certificate-subject-differs.rule'),
    expected: message('refusal.certificate-subject-differs.expected', { subject: SUBJECTS[kind], expected }),
    seen: formatList(seen),
    advice:
      kind === 'subject_dn'
        ? message('refusal.certificate-subject-differs.advice')
        : message('refusal.certificate-subject-differs.advice-2'),
  }),
  'certificate-key-unknown': ({ keys }) => ({
    wire: REFUSED_ERRORS.authentication,
    rule: message('refusal.certificate-key-unknown.rule'),
    expected: describeRegisteredKeys(keys),
    seen: message('refusal.certificate-key-unknown.seen'),
    advice: message('refusal.certificate-key-unknown.advice'),
  }),
};
