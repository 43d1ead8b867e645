import { PROOF_ALGORITHMS } from '../dpop/proof-key.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The URL of the metadata of `resource`: the well-known part is inserted between host and path (RFC 9728 §3.1). */
export function protectedResourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`;
}

/**
 * RFC 9728 §2: the metadata of the APIs on this server.
 * @param scopes the scopes that their policies require
 */
export function protectedResourceMetadata(issuer: string, scopes: readonly string[]) {
  return {
    resource: issuer,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
  };
}
