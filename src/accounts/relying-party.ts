import { isIP } from 'node:net';

/** The WebAuthn relying party (§4): this server, identified by the host name in its public URL. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns this server's relying party, or undefined where browsers do not support passkeys: if the host is an IP
 * address, and without TLS except on localhost.
 */
export function relyingPartyFor(issuer: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(issuer);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isIpAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return (protocol === 'https:' || isLocal) && !isIpAddress ? { id: hostname, origin } : undefined;
}
