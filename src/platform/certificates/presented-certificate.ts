import type { Text } from '../../language/message.ts';
import type { CertificateChain, MalformedHeader } from './client-cert-header.ts';

/** The reason why the certificate in a request cannot be accepted. */
export type CertificateProblem =
  | { readonly problem: 'untrusted-hop' }
  /** The header is `TLS` if the certificate was presented in the handshake with this server. */
  | { readonly problem: 'malformed'; readonly header: MalformedHeader | 'TLS' }
  | { readonly problem: 'expired' | 'not-yet-valid'; readonly seconds: number }
  | { readonly problem: 'weak-key' | 'weak-signature'; readonly weakness: Text };

/**
 * The certificate, if any, that a client presented in a TLS handshake with this server or with a trusted proxy. Only
 * `tls_client_auth` requires a certificate issued by an authority.
 */
export type PresentedCertificate =
  | ({ readonly kind: 'valid' } & CertificateChain)
  | { readonly kind: 'none' }
  | ({ readonly kind: 'refused' } & CertificateProblem);
