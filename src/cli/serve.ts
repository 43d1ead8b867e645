import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { OperationDeps } from '../operations/operation-context.ts';
import { defaultIssuer, type Config } from '../config/config.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { Users } from '../projections/users.ts';
import type { DiskSpace } from '../platform/files/disk-space.ts';
import { DONE, REFUSED, type ExitStatus } from './exit.ts';
import { createFirstAdministrator } from './first-administrator.ts';
import { isDiskFull } from '../event-store/out-of-space.ts';
import { limitPipelining } from './limit-pipelining.ts';
import { boundAddress, createListeners } from './listeners.ts';
import { startServer, type ServedService } from './running-server.ts';
import { setupLink } from './setup-link.ts';
import { readTlsFiles, watchTlsFiles } from './tls-files.ts';

/** The log of the server process. */
export interface ServerLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
}

/** The part of a service that `serve` needs. */
export interface Servable extends ServedService {
  readonly log: OperationDeps['log'] & Pick<EventLog, 'failed' | 'shared'>;
  readonly projections: OperationDeps['projections'] & { readonly users: Pick<Users, 'hasAdministrator'> };
  readonly space: Pick<DiskSpace, 'waitForSpace'>;
  close(): Promise<void>;
}

export interface ServeDeps<Service extends Servable> {
  readonly config: Config;
  readonly serverLog: ServerLog;
  /** Shows the link for creating the first administrator. */
  readonly showSetupLink: (link: string) => void;
  readonly openService: (config: Config, issuer: () => string) => Promise<Service>;
  /** `stopping` ends responses that would never end, such as event streams. */
  readonly createApp: (service: Service, stopping: AbortSignal) => RequestListener;
  /** Aborts when the server should stop. Its reason is logged. */
  readonly stop: AbortSignal;
}

/**
 * Serves HTTP and the control socket until stopped, then completes the requests in flight. Resolves with `REFUSED` if
 * the log failed, because only a replay restores a consistent state. If it failed because the disk is full, the server
 * keeps serving requests that only read, and stops once there is space again.
 * @throws LogLocked if another process has the data directory open
 * @throws CannotRunError if the server cannot listen on the address, or cannot use its TLS certificate
 */
export async function serve<Service extends Servable>({
  config,
  serverLog,
  showSetupLink,
  openService,
  createApp,
  stop,
}: ServeDeps<Service>): Promise<ExitStatus> {
  let currentIssuer = config.issuer ?? defaultIssuer(config);
  const issuer = (): string => currentIssuer;
  const service = await openService(config, issuer);
  try {
    await createFirstAdministrator(config, service);
    const { now } = service.clock;
    const certificate = readTlsFiles(config, now());
    const listeners = createListeners(config, certificate);
    const stopping = new AbortController();
    const { all: servers, main } = listeners;
    const runningServer = await startServer({ service, dataDir: config.dataDir, servers, stopping, log: serverLog });
    const stopWatching =
      certificate && watchTlsFiles(config, certificate, { use: listeners.useCertificate, log: serverLog, now });
    try {
      await listeners.listenMain();
      currentIssuer = config.issuer ?? defaultIssuer({ ...config, port: boundAddress(main).port });
      // Attached in the same turn of the event loop in which listening began, so that no request is missed.
      const app = limitPipelining(createApp(service, stopping.signal));
      for (const server of servers) server.on('request', app);
      await listeners.listenMtls();
      logAddresses(issuer(), servers, serverLog);
      const link = setupLink(service);
      if (link !== undefined) showSetupLink(link);
      const status = await waitForStop(service, stop, serverLog);
      await runningServer.stop();
      serverLog.info({}, 'all requests completed; closing the log');
      return status;
    } finally {
      stopWatching?.();
      await runningServer.stop();
    }
  } finally {
    await service.close();
  }
}

function logAddresses(issuer: string, servers: readonly Server[], serverLog: ServerLog): void {
  const addresses = servers.map((server) => {
    const { address, family, port } = boundAddress(server);
    const host = family === 'IPv6' ? `[${address}]` : address;
    return `${server instanceof TlsServer ? 'https' : 'http'}://${host}:${port}`;
  });
  serverLog.info({ issuer }, `serving ${issuer} on ${addresses.join(' and ')}`);
}

async function waitForStop(service: Servable, stop: AbortSignal, serverLog: ServerLog): Promise<ExitStatus> {
  const stopEvent = stop.aborted ? undefined : once(stop, 'abort').then(() => undefined);
  const failure = await Promise.race([stopEvent, waitForFailure(service, serverLog)]);
  if (failure === undefined) {
    serverLog.info({}, `${String(stop.reason)}: completing requests in flight`);
    return DONE;
  }
  serverLog.fatal({ err: failure }, 'the event log failed; stopping');
  return REFUSED;
}

/** Resolves once the log has failed and a restart can help. On a full disk, that is when there is space again. */
async function waitForFailure({ log, space }: Servable, serverLog: ServerLog): Promise<Error> {
  const failure = await log.failed;
  if (!isDiskFull(failure)) return failure;
  const consequence =
    'requests that record events are refused until there is space; then the server stops and must be restarted';
  serverLog.error({ err: failure }, `the disk is full and a write to the event log failed: ${consequence}`);
  await space.waitForSpace();
  return failure;
}
