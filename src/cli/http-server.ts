import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TlsOptions } from 'node:tls';
import { maxConnectionsFor, openFileLimit } from '../platform/open-files.ts';
import { limitPipelining } from './limit-pipelining.ts';
import { refuseMalformed } from './refuse-malformed.ts';

/** Limits on each connection and on the number of connections. Times are in milliseconds, and sizes in bytes. */
export interface ServerLimits {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly keepAliveTimeout: number;
  readonly silenceTimeout: number;
  readonly maxHeaderSize: number;
  readonly maxConnections: number;
}

const DEFAULT_LIMITS: Omit<ServerLimits, 'maxConnections'> = {
  // Most request heads fit in one or two packets, so a slower client is broken or malicious.
  headersTimeout: 10_000,
  // Covers the head and the body. Even a slow mobile connection can send 64 KiB (bodyLimitBytes) in this time.
  requestTimeout: 30_000,
  // The two timeouts above can take effect up to this much later. Node's default of 30 s would defeat them.
  connectionsCheckingInterval: 5_000,
  // Longer than the usual 60 s of proxies: if the server closed a connection first, a request in flight would be lost.
  keepAliveTimeout: 65_000,
  // The maximum time without data in either direction, for example because a client does not read its responses.
  // Event streams send a heartbeat every 15 s.
  silenceTimeout: 120_000,
  // The longest parts of a request head are the URL of an authorization request, and the cookies of other applications
  // on the host.
  maxHeaderSize: 16_384,
};

const KEEP_ALIVE_PROBE_MILLISECONDS = 60_000;

/**
 * Creates a server that slow, silent or disconnected clients cannot exhaust: their connections are closed, and
 * incomplete requests have no effect. The total time is limited only for receiving a request, not for responding, so
 * event streams stay open.
 * @param tls the certificate and options for HTTPS; undefined for plain HTTP
 */
export function createHttpServer(
  listener?: (request: IncomingMessage, response: ServerResponse) => unknown,
  limits: Partial<ServerLimits> = {},
  tls?: TlsOptions,
): Server {
  const { silenceTimeout, ...nodeLimits } = { ...DEFAULT_LIMITS, ...limits };
  const { maxConnections = maxConnectionsFor(openFileLimit()) } = limits;
  const options = {
    ...nodeLimits,
    // Detects clients that disappeared without closing the connection.
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MILLISECONDS,
  };
  const handler = listener && limitPipelining(listener);
  const server = tls === undefined ? createServer(options, handler) : createTlsServer({ ...tls, ...options }, handler);
  server.timeout = silenceTimeout;
  server.maxConnections = maxConnections;
  refuseMalformed(server);
  // When a connection is dropped at the limit, closes idle keep-alive connections to make room for later ones.
  server.on('drop', () => server.closeIdleConnections());
  return server;
}
