/**
 * Returns the name of the log that the server at `issuer` writes: its host and path, as C2SP tlog-checkpoint recommends
 * for the origin. It is also the key's name (C2SP signed-note), which must not contain plus signs, so they are
 * percent-encoded.
 */
export function logName(issuer: string): string {
  const { host, pathname } = new URL(issuer);
  return `${host}${pathname.replace(/\/+$/, '').replaceAll('+', '%2B')}`;
}
