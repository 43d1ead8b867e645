import type { TlsSubject } from '../../domain/client-authentication.ts';
import { canonicalAddress } from '../../platform/certificates/certificate.ts';
import { parseName } from '../../platform/certificates/distinguished-name.ts';
import { message, type Message } from '../../language/message.ts';

const MAX_SUBJECT_LENGTH = 1_024;

/**
 * Returns the problem with the subject that the client's certificates must have (RFC 8705 §2.1.2), or undefined if it
 * is valid.
 */
export function tlsSubjectProblem({ kind, value }: TlsSubject): Message | undefined {
  if (value === '' || value.length > MAX_SUBJECT_LENGTH)
    return message('client.subject-length', { limit: MAX_SUBJECT_LENGTH });
  switch (kind) {
    case 'subject_dn':
      return parseName(value) === undefined ? message('client.subject-dn') : undefined;
    case 'san_dns':
      return /^(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(value) ? undefined : message('client.subject-dns');
    case 'san_uri':
      return /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(value) ? undefined : message('client.subject-uri');
    case 'san_ip':
      return canonicalAddress(value) === undefined ? message('client.subject-ip') : undefined;
    case 'san_email':
      return /^[^@\s]+@[^@\s]+$/.test(value) ? undefined : message('client.subject-email');
  }
}
