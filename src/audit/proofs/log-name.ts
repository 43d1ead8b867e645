/**
 * Returns the name of the log that the server at `issuer` writes: its host and path, as C2SP tlog-checkpoint recommends
 * for the origin. The key has the same name (C2SP signed-note). Plus signs, which the name of a key must not contain,
 * are percent-encoded.
 */
export function logName(issuer: string): string {
  const { host, pathname } = new URL(issuer);
  return `${host}${pathname.replace(/\/+$/, '').replaceAll('+', '%2B')}`;
}
