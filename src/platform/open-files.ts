import type { Server } from 'node:net';

/**
 * Files that the server opens in addition to its connections: LevelDB, tiles, the archive, keys, snapshots, and the
 * control socket.
 */
const RESERVED_FILES = 100;

/** This many connections use less than 200 MB, even if each holds a request head of the maximum size. */
const MAX_CONNECTIONS = 10_000;

/** The open file limit that `MAX_CONNECTIONS` requires. */
export const FILES_FOR_MAX_CONNECTIONS = MAX_CONNECTIONS + RESERVED_FILES;

/** Returns this process's limit on open files (`ulimit -n`), or infinity if it is unknown. */
export function openFileLimit(): number {
  const report = process.report as ProcessReport | undefined;
  if (report === undefined) return Infinity;
  report.excludeNetwork = true; // otherwise the report resolves the names of all peers
  const softLimit = report.getReport().userLimits?.open_files?.soft;
  return typeof softLimit === 'number' ? softLimit : Infinity;
}

interface ProcessReport {
  excludeNetwork?: boolean;
  getReport(): { readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } } };
}

/** Returns the maximum number of connections that leaves enough files for other purposes. */
export function maxConnectionsFor(openFiles: number): number {
  return Math.max(1, Math.min(MAX_CONNECTIONS, openFiles - RESERVED_FILES));
}

const ACCEPT_ERROR_CODES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
const LOG_INTERVAL_MILLISECONDS = 60_000;

interface Log {
  error(fields: object, message: string): void;
}

/**
 * Keeps the server running when it cannot accept a connection, which Node reports as an `error` event. Logs at most one
 * such failure per minute, and does not handle other errors.
 */
export function surviveFailedAccepts(server: Pick<Server, 'on' | 'listenerCount'>, log: Log): void {
  let wasRecentlyReported = false;
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (!ACCEPT_ERROR_CODES.has(error.code ?? '')) {
      if (server.listenerCount('error') === 1) throw error; // as Node does without this listener
      return;
    }
    if (wasRecentlyReported) return;
    wasRecentlyReported = true;
    setTimeout(() => (wasRecentlyReported = false), LOG_INTERVAL_MILLISECONDS).unref();
    const advice = error.code === 'EMFILE' ? '; raise the limit on open files (ulimit -n, LimitNOFILE)' : '';
    log.error({ err: error }, `a connection could not be accepted${advice}`);
  });
}
