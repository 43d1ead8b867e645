import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { maxConnectionsFor, openFileLimit } from '../platform/open-files.ts';
import { tlsOptions, type ServerCertificate } from '../platform/certificates/server-certificate.ts';
import { CannotRunError } from './exit.ts';
import { createHttpServer } from './http-server.ts';

interface ListenSettings {
  readonly host: string;
  readonly port: number;
  readonly mtlsPort: number | null;
}

/** The server on `port` and, with mutual TLS, a second server on `mtlsPort` that requests client certificates. */
export interface Listeners {
  readonly main: Server;
  readonly all: readonly Server[];
  /** @throws CannotRunError if the port or the address cannot be used */
  listenMain(): Promise<void>;
  /**
   * Does nothing if there is no server on `mtlsPort`.
   * @throws CannotRunError if the port cannot be used
   */
  listenMtls(): Promise<void>;
  /** Replaces the certificate for new connections. Does nothing for servers without TLS. */
  useCertificate(certificate: ServerCertificate): void;
}

/**
 * Creates the servers, but does not make them listen yet.
 * @param certificate null for HTTP without TLS
 */
export function createListeners(
  { host, port, mtlsPort }: ListenSettings,
  certificate: ServerCertificate | null,
): Listeners {
  const hasMtls = mtlsPort !== null && certificate !== null;
  // Both servers share the limit on open files.
  const maxConnections = Math.ceil(maxConnectionsFor(openFileLimit()) / (hasMtls ? 2 : 1));
  const create = (requestCert: boolean): Server =>
    createHttpServer(
      undefined,
      { maxConnections },
      certificate === null ? undefined : tlsOptions(certificate, requestCert),
    );
  const main = create(false);
  const mtls = hasMtls ? create(true) : undefined;

  return {
    main,
    all: mtls === undefined ? [main] : [main, mtls],
    listenMain: () => listenOn(main, host, port, 'PORT'),
    async listenMtls() {
      if (mtls !== undefined) await listenOn(mtls, host, mtlsPort ?? 0, 'GRANTLOG_MTLS_PORT');
    },
    useCertificate(newCertificate) {
      for (const [server, requestCert] of [
        [main, false],
        [mtls, true],
      ] as const)
        if (server instanceof TlsServer) server.setSecureContext(tlsOptions(newCertificate, requestCert));
    },
  };
}

async function listenOn(server: Server, host: string, port: number, setting: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new CannotRunError(`cannot listen on ${host}, port ${port}; check HOST and ${setting}`, { cause: error });
  }
}

/**
 * Returns the address that a server is listening on.
 * @throws Error if the server is not listening on a TCP port
 */
export function boundAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server is not listening on a TCP port');
  return address;
}
