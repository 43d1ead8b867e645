/** Returns the destination of a URL as shown to users: its host or, for an app's URL, its scheme. */
export function destinationOf(url: string): string {
  const { host, protocol } = new URL(url);
  return host === '' ? protocol.slice(0, -1) : host;
}
