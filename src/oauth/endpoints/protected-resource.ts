const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where the metadata of `resource` are: the well-known part goes between its host and its path (RFC 9728 §3.1). */
export function protectedResourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`;
}

/** RFC 9728 §2: what an API that this server guards takes, and from whom. @param scopes those that its policies ask for */
export function protectedResourceMetadata(issuer: string, scopes: readonly string[]) {
  return {
    resource: issuer,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  };
}
