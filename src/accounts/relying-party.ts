import { isIP } from 'node:net';

/** Whom passkeys are for (WebAuthn §4): the server, by the name in its public address. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Undefined where no browser makes a passkey: at a bare IP address, and without TLS anywhere but on localhost. */
export function relyingPartyFor(issuer: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(issuer);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return (protocol === 'https:' || isLocal) && !isAddress ? { id: hostname, origin } : undefined;
}
