/**
 * Reports whether clients look for a well-known document of `issuer` at `path` (RFC 8414 §3.1, RFC 9728 §3.1). Clients
 * append the issuer's path to the well-known one, but a proxy may have removed it.
 */
export function isWellKnownPath(issuer: string, wellKnown: string, path: string): boolean {
  const suffix = path.slice(wellKnown.length).replace(/\/$/, '');
  return suffix === '' || suffix === new URL(issuer).pathname.replace(/\/$/, '');
}
