import { isIP } from 'node:net';

/** The WebAuthn relying party (§4): this server, identified by the host name of its public address. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns the relying party at this server's address, or undefined where browsers do not support passkeys: at an IP
 * address, and without TLS except on localhost.
 */
export function relyingPartyFor(issuer: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(issuer);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return (protocol === 'https:' || isLocal) && !isAddress ? { id: hostname, origin } : undefined;
}
