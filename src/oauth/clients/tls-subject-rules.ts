import type { TlsSubject } from '../../domain/client-authentication.ts';
import { canonicalAddress } from '../../platform/certificates/certificate.ts';
import { parseName } from '../../platform/certificates/distinguished-name.ts';

const MAX_SUBJECT_LENGTH = 1_024;

/** The problem of the subject that the client's certificates must have (RFC 8705 §2.1.2); undefined if it is valid. */
export function tlsSubjectProblem({ kind, value }: TlsSubject): string | undefined {
  if (value === '' || value.length > MAX_SUBJECT_LENGTH)
    return `The subject of its certificates has 1 to ${MAX_SUBJECT_LENGTH} characters.`;
  switch (kind) {
    case 'subject_dn':
      return parseName(value) === undefined
        ? 'The subject is not a distinguished name such as CN=client,O=Example (RFC 4514): ' +
            'openssl x509 -noout -subject -nameopt RFC2253 prints that of a certificate.'
        : undefined;
    case 'san_dns':
      return /^(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(value)
        ? undefined
        : 'The subject is not the name of a host, without a wildcard, such as client.example.com.';
    case 'san_uri':
      return /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(value)
        ? undefined
        : 'The subject is not a URI such as spiffe://example.com/client.';
    case 'san_ip':
      return canonicalAddress(value) === undefined ? 'The subject is not an IPv4 or IPv6 address.' : undefined;
    case 'san_email':
      return /^[^@\s]+@[^@\s]+$/.test(value) ? undefined : 'The subject is not an e-mail address.';
  }
}
