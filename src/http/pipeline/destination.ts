/** Returns the destination of an address as it is shown to users: its host, or the scheme of an app. */
export function destinationOf(address: string): string {
  const { host, protocol } = new URL(address);
  return host === '' ? protocol.slice(0, -1) : host;
}
