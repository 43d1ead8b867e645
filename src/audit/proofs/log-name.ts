/**
 * The name of the log of the server at `issuer`: its host and path, the origin that C2SP tlog-checkpoint recommends.
 * It is the name of the key, too (C2SP signed-note), which cannot have a plus sign: that is percent-encoded.
 */
export function logName(issuer: string): string {
  const { host, pathname } = new URL(issuer);
  return `${host}${pathname.replace(/\/+$/, '').replaceAll('+', '%2B')}`;
}
