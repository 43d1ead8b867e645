import type { Server } from 'node:net';

/**
 * Files that the server opens besides its connections: LevelDB, tiles, the archive, keys, snapshots, the control
 * socket.
 */
const SPARE_FILES = 100;

/** With the head that each may have sent, less than 200 MB. */
const MAX_CONNECTIONS = 10_000;

/** The limit that lets the server take as many connections as it can use. */
export const FILES_FOR_MAX_CONNECTIONS = MAX_CONNECTIONS + SPARE_FILES;

/** How many files this process may have open (`ulimit -n`); infinite where the system does not tell. */
export function openFilesLimit(): number {
  const report = process.report as ProcessReport | undefined;
  if (report === undefined) return Infinity;
  report.excludeNetwork = true; // the report would look up the names of all peers
  const soft = report.getReport().userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

interface ProcessReport {
  excludeNetwork?: boolean;
  getReport(): { readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } } };
}

/** How many connections leave enough files for everything else. */
export function maxConnectionsFor(openFiles: number): number {
  return Math.max(1, Math.min(MAX_CONNECTIONS, openFiles - SPARE_FILES));
}

const ACCEPT_ERROR_CODES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
const LOG_INTERVAL_MILLISECONDS = 60_000;

interface Log {
  error(fields: object, message: string): void;
}

/**
 * Lets the server outlive connections that cannot be accepted, which Node reports as errors. Reports them at most once
 * a minute. Other errors stay what they are.
 */
export function surviveFailedAccepts(server: Pick<Server, 'on' | 'listenerCount'>, log: Log): void {
  let isReported = false;
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (!ACCEPT_ERROR_CODES.has(error.code ?? '')) {
      if (server.listenerCount('error') === 1) throw error; // as if this listener were not there
      return;
    }
    if (isReported) return;
    isReported = true;
    setTimeout(() => (isReported = false), LOG_INTERVAL_MILLISECONDS).unref();
    log.error(
      { err: error },
      'a connection could not be accepted; raise the limit of open files (ulimit -n, LimitNOFILE)',
    );
  });
}
