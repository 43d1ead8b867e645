import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { readCertificate, type Certificate } from '../../platform/certificates/certificate.ts';
import { MAX_INTERMEDIATES } from '../../platform/certificates/chain.ts';
import { readClientCertHeaders } from '../../platform/certificates/client-cert-header.ts';
import type { PresentedCertificate } from '../../platform/certificates/presented-certificate.ts';
import { networkMatcher } from '../../platform/networks.ts';
import type { Handler } from './state.ts';

/** Reads the certificate in a request. Never throws, because most requests do not need a valid certificate. */
export type ReadClientCertificate = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => PresentedCertificate;

/** Returns a step that sets `ctx.state.clientCertificate`, a function that reads the certificate on its first call. */
export function offerClientCertificate(read: ReadClientCertificate): Handler {
  return (ctx, next) => {
    let presentedCertificate: PresentedCertificate | undefined;
    ctx.state.clientCertificate = () => (presentedCertificate ??= read(ctx.req));
    return next();
  };
}

const NO_CERTIFICATE: PresentedCertificate = { kind: 'none' };

/**
 * Creates a function that reads client certificates from the headers of trusted proxies or from the TLS handshake.
 * @param proxies the addresses and networks (CIDR) of proxies whose `Client-Cert` header is trusted (RFC 9440)
 * @param now returns the current time in seconds since the epoch
 */
export function clientCertificateReader(proxies: readonly string[], now: () => number): ReadClientCertificate {
  const isProxy = networkMatcher(proxies);
  const socketCertificates = new WeakMap<TLSSocket, PresentedCertificate>();

  function readSocketOnce(socket: TLSSocket): PresentedCertificate {
    const certificate = socketCertificates.get(socket) ?? readSocket(socket);
    socketCertificates.set(socket, certificate);
    return certificate;
  }

  return ({ headers, socket }) => {
    const { 'client-cert': certificate, 'client-cert-chain': chain } = headers;
    const hasHeader = certificate !== undefined || chain !== undefined;
    // The certificate of a proxy's connection identifies the proxy, not the client.
    if (hasHeader || (proxies.length > 0 && isProxy(socket.remoteAddress))) {
      if (!hasHeader) return NO_CERTIFICATE;
      if (!isProxy(socket.remoteAddress)) return { kind: 'refused', problem: 'untrusted-hop' };
      return refuseUnusable(readHeaders(certificate, chain), now());
    }
    return socket instanceof TLSSocket ? refuseUnusable(readSocketOnce(socket), now()) : NO_CERTIFICATE;
  };
}

function readHeaders(certificate: unknown, chain: unknown): PresentedCertificate {
  if (typeof certificate !== 'string') return { kind: 'refused', problem: 'malformed', header: 'Client-Cert' };
  const parsed = readClientCertHeaders(certificate, typeof chain === 'string' ? chain : undefined);
  return 'malformed' in parsed
    ? { kind: 'refused', problem: 'malformed', header: parsed.malformed }
    : { kind: 'valid', ...parsed };
}

/** Reads the certificates from the handshake, which has proven that the client has the private key. */
function readSocket(socket: TLSSocket): PresentedCertificate {
  let peer = socket.getPeerCertificate(true);
  if (peer?.raw === undefined) return NO_CERTIFICATE;
  const certificate = readCertificate(peer.raw);
  if (certificate === undefined) return { kind: 'refused', problem: 'malformed', header: 'TLS' };
  const intermediates: Certificate[] = [];
  while (peer.issuerCertificate?.raw !== undefined && intermediates.length < MAX_INTERMEDIATES) {
    if (peer.issuerCertificate === peer) break; // a self-signed certificate ends the chain
    peer = peer.issuerCertificate;
    const intermediate = readCertificate(peer.raw);
    if (intermediate !== undefined) intermediates.push(intermediate);
  }
  return { kind: 'valid', certificate, intermediates };
}

/**
 * Returns the certificate, or a refusal if it is unusable. A connection can outlive its certificate, so the validity
 * period is checked for each request. Neither a proxy nor the handshake is guaranteed to refuse weak certificates.
 */
function refuseUnusable(presentedCertificate: PresentedCertificate, now: number): PresentedCertificate {
  if (presentedCertificate.kind !== 'valid') return presentedCertificate;
  const { validFrom, validUntil, weakKey, weakSignature } = presentedCertificate.certificate;
  if (now > validUntil) return { kind: 'refused', problem: 'expired', seconds: Math.ceil(now - validUntil) };
  if (now < validFrom) return { kind: 'refused', problem: 'not-yet-valid', seconds: Math.ceil(validFrom - now) };
  if (weakKey !== null) return { kind: 'refused', problem: 'weak-key', weakness: weakKey };
  if (weakSignature !== null) return { kind: 'refused', problem: 'weak-signature', weakness: weakSignature };
  return presentedCertificate;
}
