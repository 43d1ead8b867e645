/**
 * Whether `path` is where clients look for a well-known document of `issuer` (RFC 8414 §3.1, RFC 9728 §3.1): they put
 * the issuer's own path behind the well-known one; a proxy may have taken it away again.
 */
export function isWellKnownOf(issuer: string, wellKnown: string, path: string): boolean {
  const below = path.slice(wellKnown.length).replace(/\/$/, '');
  return below === '' || below === new URL(issuer).pathname.replace(/\/$/, '');
}
