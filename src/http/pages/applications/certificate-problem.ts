import type { ClientAuthenticationMethod } from '../../../domain/client-authentication.ts';
import type { CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';

type Reception = Pick<CertificateSupport, 'isReached' | 'hasAuthorities'>;

/**
 * Why certificates of clients do not work on this server, and which settings change that.
 * @param methods how the application authenticates, or could
 * @returns null if they work with one of the methods, or if no method needs one
 */
export function certificateProblem(
  methods: readonly ClientAuthenticationMethod[],
  { isReached, hasAuthorities }: Reception,
): string | null {
  const byAuthority = methods.includes('tls_client_auth');
  const byKey = methods.includes('self_signed_tls_client_auth');
  if (!isReached) return byAuthority || byKey ? NOT_REACHED : null;
  return byAuthority && !byKey && !hasAuthorities ? NO_AUTHORITIES : null;
}

/** No certificate of a client reaches the server, so no method works. */
export const NOT_REACHED =
  'This server accepts no client certificates yet. Its operator turns them on with the setting mtlsPort, or with ' +
  'clientCertificateProxies if a proxy verifies them.';

const NO_AUTHORITIES =
  'This server trusts no authority of client certificates yet. Its operator names them with the setting ' +
  'tlsClientCaFile.';
