import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { maxConnectionsFor, openFilesLimit } from '../platform/open-files.ts';
import { limitPipelining } from './limit-pipelining.ts';

/** What one connection may cost, and all of them together. Times are in milliseconds, sizes in bytes. */
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
  // A head fits into one packet or two: who needs longer, or says nothing at all, holds a place and wants no answer.
  headersTimeout: 10_000,
  // Head and body. At most 64 KiB are read (bodyLimitBytes), which the slowest telephone sends in this time.
  requestTimeout: 30_000,
  // How late the two above may be noticed; Node's own half minute would be most of what they allow.
  connectionsCheckingInterval: 5_000,
  // Longer than the minute after which proxies usually drop a connection: they must be first, or a request is lost.
  keepAliveTimeout: 65_000,
  // Nothing sent and nothing taken, as by who asks for much and reads none of it. Events live on: they have a heartbeat
  // every quarter of a minute.
  silenceTimeout: 120_000,
  // The longest lines are an authorization request's address and cookies of other applications on the same host.
  maxHeaderSize: 16_384,
};

const KEEP_ALIVE_PROBE_MILLISECONDS = 60_000;

/**
 * A server that clients who are slow, silent or gone cannot hold: they are cut off, and what they did not finish has
 * had no effect. It limits receiving a request, never the time to answer it, so streams of events stay.
 */
export function createHttpServer(
  listener?: (request: IncomingMessage, response: ServerResponse) => unknown,
  limits: Partial<ServerLimits> = {},
): Server {
  const { silenceTimeout, ...options } = { ...DEFAULT_LIMITS, ...limits };
  const { maxConnections = maxConnectionsFor(openFilesLimit()) } = limits;
  const server = createServer(
    {
      ...options,
      // Finds out who has gone without a word, their cable pulled: no FIN will ever come from there.
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MILLISECONDS,
    },
    listener && limitPipelining(listener),
  );
  server.timeout = silenceTimeout;
  server.maxConnections = maxConnections;
  // When it gets tight, those that are only kept for a next request make room for who has one now.
  server.on('drop', () => server.closeIdleConnections());
  return server;
}
