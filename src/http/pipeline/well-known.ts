/**
 * Whether `path` is where clients look for a well-known document of `issuer` (RFC 8414 §3.1, RFC 9728 §3.1). They
 * append the issuer's path to the well-known one. A proxy may have removed it.
 */
export function isWellKnownOf(issuer: string, wellKnown: string, path: string): boolean {
  const below = path.slice(wellKnown.length).replace(/\/$/, '');
  return below === '' || below === new URL(issuer).pathname.replace(/\/$/, '');
}
