/**
 * Reports whether clients look for a well-known document of `issuer` at `path` (RFC 8414 §3.1, RFC 9728 §3.1). Clients
 * append the issuer's path to the well-known path, but a proxy may have removed the issuer's path.
 */
export function isWellKnownPath(issuer: string, wellKnownPath: string, path: string): boolean {
  const suffix = path.slice(wellKnownPath.length).replace(/\/$/, '');
  return suffix === '' || suffix === new URL(issuer).pathname.replace(/\/$/, '');
}
