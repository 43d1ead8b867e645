import { formatDuration, formatList, wire, type ProtocolMessagesFor, type WireError } from '../messages.ts';
import type { CertificateUse, RefusalOf } from '../refusal.ts';

/** The owner of the application sees the cause. */
const REFUSED: Readonly<Record<CertificateUse, WireError>> = {
  authentication: wire(
    'invalid_client',
    'client authentication failed: the client certificate is not accepted; the owner of the application can see why',
  ),
  binding: wire('invalid_request', 'the client certificate is not accepted; the owner of the application can see why'),
};
const MISSING: Readonly<Record<CertificateUse, WireError>> = {
  authentication: wire('invalid_client', 'client authentication failed: the client must present its TLS certificate'),
  binding: wire('invalid_request', "the client's tokens are bound to its TLS certificate, which it must present"),
};

const SUBJECTS = {
  subject_dn: 'distinguished name',
  san_dns: 'host name (DNS)',
  san_uri: 'URI',
  san_ip: 'address (IP)',
  san_email: 'e-mail address',
} as const;

function seenProblem(refusal: RefusalOf<'certificate-refused'>): string {
  switch (refusal.problem) {
    case 'untrusted-hop':
      return 'a header Client-Cert from an address that is not a trusted proxy';
    case 'malformed':
      return refusal.header === 'TLS' ? 'a malformed certificate' : `a malformed header ${refusal.header}`;
    case 'expired':
      return `a certificate that expired ${formatDuration(refusal.seconds)} ago`;
    case 'not-yet-valid':
      return `a certificate that will be valid in ${formatDuration(refusal.seconds)}`;
    case 'weak-key':
      return `a certificate whose key is too weak: ${refusal.weakness}`;
    case 'weak-signature':
      return `a certificate whose signature is too weak: ${refusal.weakness}`;
  }
}

function adviceFor({ problem }: RefusalOf<'certificate-refused'>): string {
  switch (problem) {
    case 'untrusted-hop':
      return 'Only proxies may send Client-Cert. If this was one, add its address to clientCertificateProxies.';
    case 'malformed':
      return 'The header contains the certificate in DER, in base64, between colons. Check the proxy (RFC 9440 §2).';
    case 'expired':
      return 'Renew the certificate. If it is new, check that the application loads the new file.';
    case 'not-yet-valid':
      return 'Use the certificate from then on, or check the clock of its authority.';
    case 'weak-key':
      return 'Create a key on P-256, on Ed25519, or RSA with at least 2048 bits, and get a certificate for it.';
    case 'weak-signature':
      return 'Have the certificate issued again, with a signature over SHA-256 or a longer hash.';
  }
}

function seenChain(refusal: RefusalOf<'certificate-chain'>): string {
  switch (refusal.problem) {
    case 'unknown-issuer':
      return refusal.hasAuthorities ? 'one from another chain' : 'one, but no authority is configured';
    case 'purpose':
      return 'one that is not for clients';
    case 'purpose-of-issuer':
      return 'one whose issuer may not issue certificates for clients';
    case 'weak-issuer':
      return `one whose issuer has a certificate that is too weak: ${refusal.weakness}`;
    case 'unchecked-extension':
      return `one with the extension ${refusal.id}, which restricts it in a way that the server does not check`;
  }
}

/** Client certificates (RFC 8705, RFC 9440). */
export const CERTIFICATE_MESSAGES: ProtocolMessagesFor<
  | 'certificate-missing'
  | 'certificate-refused'
  | 'certificate-chain'
  | 'certificate-subject-differs'
  | 'certificate-key-unknown'
> = {
  'certificate-missing': ({ use, at }) => ({
    wire: MISSING[use],
    rule:
      use === 'authentication'
        ? 'The client authenticates with a TLS certificate (RFC 8705 §2).'
        : 'The tokens of the client are bound to its TLS certificate (RFC 8705 §3).',
    expected: 'a connection with a client certificate',
    seen: 'no certificate',
    advice:
      at === null
        ? 'Present the certificate in the TLS handshake. Behind a proxy, this one must send Client-Cert.'
        : `Present the certificate at ${at}: see mtls_endpoint_aliases in the metadata of the server.`,
  }),
  'certificate-refused': (refusal) => ({
    wire: REFUSED[refusal.use],
    rule: 'A client certificate is valid, and comes from the TLS handshake or from a trusted proxy (RFC 9440).',
    expected: 'a certificate that is valid now, with a strong key and signature',
    seen: seenProblem(refusal),
    advice: adviceFor(refusal),
  }),
  'certificate-chain': (refusal) => ({
    wire: REFUSED.authentication,
    rule: 'An authority of this server has issued the certificate for clients (RFC 8705 §2.1).',
    expected: 'a certificate for clients that chains to an authority in tlsClientCaFile',
    seen: seenChain(refusal),
    advice:
      'Present the certificate that the authority has issued, with its intermediate certificates. ' +
      'The operator sets tlsClientCaFile.',
  }),
  'certificate-subject-differs': ({ kind, expected, seen }) => ({
    wire: REFUSED.authentication,
    rule: 'The certificate has the subject that is registered for the client (RFC 8705 §2.1.2).',
    expected: `the ${SUBJECTS[kind]} ${expected}`,
    seen: formatList(seen),
    advice:
      kind === 'subject_dn'
        ? 'Register the name as openssl x509 -noout -subject -nameopt RFC2253 prints it: its order matters.'
        : 'Register the name that the certificate has, or use the right certificate. A wildcard matches nothing.',
  }),
  'certificate-key-unknown': ({ keys }) => ({
    wire: REFUSED.authentication,
    rule: 'The key of a self-signed certificate is registered for the client (RFC 8705 §2.2).',
    expected: keys === 1 ? 'the registered key' : `one of ${keys} registered keys`,
    seen: 'a certificate with another key',
    advice: 'Register the public key of the certificate before you use it: grantlog client keys CLIENT_ID --add FILE.',
  }),
};
