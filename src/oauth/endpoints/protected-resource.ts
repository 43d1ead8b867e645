import { PROOF_ALGORITHMS } from '../dpop/proof-key.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Returns the URL of the metadata of `resource`, with the well-known part between host and path (RFC 9728 §3.1).
 */
export function protectedResourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`;
}

/**
 * The path under which this server publishes the metadata of resource servers on other hosts. The hash of the resource
 * server's URI follows the path.
 */
export const RESOURCE_METADATA_PATH = '/o/resource-metadata/';

interface PublishedResource {
  readonly resourceId: string;
  readonly uri: string;
  readonly name: string;
  readonly scopes: readonly { readonly name: string }[];
  readonly detailTypes?: readonly { readonly type: string }[] | undefined;
}

/**
 * Returns the URL at which this server publishes the metadata of a resource server. If the resource server is on the
 * issuer's host, clients derive the URL from the resource URI (RFC 9728 §3.1). Resource servers on other hosts send the
 * URL in their challenges (§5.1).
 */
export function resourceMetadataUrl(
  { resourceId, uri }: Pick<PublishedResource, 'resourceId' | 'uri'>,
  issuer: string,
): string {
  return new URL(uri).origin === new URL(issuer).origin
    ? protectedResourceMetadataUrl(uri)
    : `${issuer}${RESOURCE_METADATA_PATH}${resourceId}`;
}

/** Returns the metadata of a registered resource server (RFC 9728 §2). */
export function publishedResourceMetadata({ uri, name, scopes, detailTypes = [] }: PublishedResource, issuer: string) {
  return {
    resource: uri,
    resource_name: name,
    authorization_servers: [issuer],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes.map((scope) => scope.name) }),
    ...(detailTypes.length > 0 && { authorization_details_types_supported: detailTypes.map(({ type }) => type) }),
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
  };
}

/**
 * Returns the metadata of the APIs on this server (RFC 9728 §2).
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
