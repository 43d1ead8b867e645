/** Returns the destination of a URL as shown to users: the host or, if the URL has no host, the scheme. */
export function destinationOf(url: string): string {
  const { host, protocol } = new URL(url);
  return host === '' ? protocol.slice(0, -1) : host;
}
