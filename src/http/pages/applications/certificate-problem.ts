import type { ClientAuthenticationMethod } from '../../../domain/client-authentication.ts';
import { message, type Message } from '../../../language/message.ts';
import type { CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';

/**
 * Explains why client certificates do not work on this server, and which settings would make them work.
 * @param methods the methods that the application uses, or could use, to authenticate
 * @returns null if certificates work with one of the methods, or if no method needs them
 */
export function certificateProblem(
  methods: readonly ClientAuthenticationMethod[],
  { receivesCertificates, hasAuthorities }: Pick<CertificateSupport, 'receivesCertificates' | 'hasAuthorities'>,
): Message | null {
  const usesAuthority = methods.includes('tls_client_auth');
  const usesSelfSigned = methods.includes('self_signed_tls_client_auth');
  if (!receivesCertificates) return usesAuthority || usesSelfSigned ? CERTIFICATES_NOT_RECEIVED : null;
  return usesAuthority && !usesSelfSigned && !hasAuthorities ? NO_AUTHORITIES : null;
}

/** The problem that this server does not accept client certificates. */
export const CERTIFICATES_NOT_RECEIVED = message('certificate.not-reached');

const NO_AUTHORITIES = message('certificate.no-authorities');
