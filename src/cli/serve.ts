import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OperationContext } from '../operations/operation-context.ts';
import { defaultIssuer, type Config } from '../config/config.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { Users } from '../projections/users.ts';
import type { DiskSpace } from '../platform/files/disk-space.ts';
import { CannotRun, DONE, REFUSED, type ExitStatus } from './exit.ts';
import { createFirstAdministrator } from './first-administrator.ts';
import { isDiskFull } from '../event-store/out-of-space.ts';
import { createHttpServer } from './http-server.ts';
import { limitPipelining } from './limit-pipelining.ts';
import { setupNotice, startServer, type ServedService } from './running-server.ts';

/** Where the server says what happens to it. */
export interface ServerLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
}

/** What serving needs of a service, beyond what its operators need. */
export interface Servable extends ServedService {
  readonly log: OperationContext['log'] & Pick<EventLog, 'failed'>;
  readonly projections: OperationContext['projections'] & { readonly users: Pick<Users, 'hasAdministrator'> };
  readonly space: Pick<DiskSpace, 'waitForSpace'>;
  close(): Promise<void>;
}

export interface ServeParts<Service extends Servable> {
  readonly config: Config;
  readonly serverLog: ServerLog;
  readonly openService: (config: Config, issuer: () => string) => Promise<Service>;
  /** `stopping` aborts when answers that never end by themselves should end. */
  readonly createApp: (service: Service, stopping: AbortSignal) => RequestListener;
  /** Aborts, for a reason in words, when it is time to stop. */
  readonly stop: AbortSignal;
}

/**
 * Serves HTTP and the control socket until it is told to stop, then finishes what is in flight.
 * Resolves with 1 when the log failed: what a restart replays is the truth. If it failed because the disk is full, the
 * server goes on answering what only reads, and ends when there is space again.
 * @throws LogLocked another process has the data directory
 * @throws CannotRun the address cannot be listened on
 */
export async function serve<Service extends Servable>({
  config,
  serverLog,
  openService,
  createApp,
  stop,
}: ServeParts<Service>): Promise<ExitStatus> {
  let { port } = config;
  const issuer = (): string => config.issuer ?? defaultIssuer(port);
  const service = await openService(config, issuer);
  try {
    await createFirstAdministrator(config, service);
    const server = createHttpServer();
    const stopping = new AbortController();
    const running = await startServer({ service, dataDir: config.dataDir, server, stopping, log: serverLog });
    try {
      port = await listen(server, config);
      // In the turn in which listening began: no request came before.
      server.on('request', limitPipelining(createApp(service, stopping.signal)));
      announce(service, issuer(), boundAddress(server), serverLog);
      const status = await waitForStop(service, stop, serverLog);
      await running.stop();
      serverLog.info({}, 'every request was answered; closing the log');
      return status;
    } finally {
      await running.stop();
    }
  } finally {
    await service.close();
  }
}

async function listen(server: Server, { host, port }: Config): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new CannotRun(`cannot listen on port ${port} of ${host}; set HOST and PORT`, { cause: error });
  }
  return boundAddress(server).port;
}

function boundAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address;
}

function announce(
  service: Servable,
  issuer: string,
  { address, family, port }: AddressInfo,
  serverLog: ServerLog,
): void {
  const host = family === 'IPv6' ? `[${address}]` : address;
  serverLog.info({ issuer }, `serving ${issuer} on http://${host}:${port}`);
  const notice = setupNotice(service);
  if (notice !== undefined) serverLog.info({}, notice);
}

async function waitForStop(service: Servable, stop: AbortSignal, serverLog: ServerLog): Promise<ExitStatus> {
  const told = stop.aborted ? undefined : once(stop, 'abort').then(() => undefined);
  const failure = await Promise.race([told, waitForFailure(service, serverLog)]);
  if (failure === undefined) {
    serverLog.info({}, `${String(stop.reason)}: finishing what is in flight`);
    return DONE;
  }
  serverLog.fatal({ err: failure }, 'the event log failed; stopping');
  return REFUSED;
}

/** Resolves when the log has failed and a restart could help: on a full disk not before there is space. */
async function waitForFailure({ log, space }: Servable, serverLog: ServerLog): Promise<Error> {
  const failure = await log.failed;
  if (!isDiskFull(failure)) return failure;
  const until =
    'requests that record something are refused until there is space; then the server stops, to be restarted';
  serverLog.error({ err: failure }, `the disk is full and a write to the event log failed: ${until}`);
  await space.waitForSpace();
  return failure;
}
