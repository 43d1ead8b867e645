import { CLIENT_AUTHENTICATION_METHODS, type ClientAuthenticationMethod } from '../../domain/client-authentication.ts';

/** How the server receives client certificates. */
export interface CertificateSupport {
  /** Whether the server can receive certificates, from the TLS handshake or from a proxy. */
  readonly receivesCertificates: boolean;
  /** Whether certificate authorities for `tls_client_auth` are configured. */
  readonly hasAuthorities: boolean;
  /** The base URL at which clients present certificates; null if it is the issuer. */
  readonly mtlsBase: () => string | null;
}

/** Returns the client authentication methods that the server supports, given its support for certificates. */
export function usableMethods({
  receivesCertificates,
  hasAuthorities,
}: CertificateSupport): readonly ClientAuthenticationMethod[] {
  return CLIENT_AUTHENTICATION_METHODS.filter((method) => {
    if (method === 'tls_client_auth') return receivesCertificates && hasAuthorities;
    return method === 'self_signed_tls_client_auth' ? receivesCertificates : true;
  });
}

/** The endpoints at which clients authenticate or use access tokens (RFC 8705 §5). */
const ALIASED_ENDPOINTS = [
  'token_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'userinfo_endpoint',
  'grant_management_endpoint',
];

/** Returns `metadata` with the members about client certificates added (RFC 8705 §3.3, §5). */
export function withCertificateMetadata<Metadata extends { readonly issuer: string }>(
  metadata: Metadata,
  { receivesCertificates, mtlsBase }: CertificateSupport,
) {
  const base = mtlsBase();
  const { issuer } = metadata;
  const aliases = Object.entries(metadata).flatMap(([name, value]: [string, unknown]) =>
    ALIASED_ENDPOINTS.includes(name) && typeof value === 'string'
      ? [[name, `${base}${value.slice(issuer.length)}`] as const]
      : [],
  );
  return {
    ...metadata,
    ...(receivesCertificates && { tls_client_certificate_bound_access_tokens: true }),
    ...(base !== null && { mtls_endpoint_aliases: Object.fromEntries(aliases) }),
  };
}
