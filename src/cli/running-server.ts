import type { Server } from 'node:http';
import type { OperationDeps } from '../operations/operation-context.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { KeyRotation } from '../oauth/signing/key-rotation.ts';
import { operate } from '../operations/operations.ts';
import type { Invitations } from '../accounts/invitations.ts';
import type { BackgroundCheck } from '../audit/proofs/background-check.ts';
import type { LogoutDeliveries } from '../oauth/openid/logout-deliveries.ts';
import { serveControl } from '../operations/control/server.ts';
import type { Setup } from '../accounts/setup.ts';
import { surviveFailedAccepts } from '../platform/open-files.ts';
import { drain, watchConnections } from './drain.ts';
import { controlSocketPath } from './operation-target.ts';

/** The parts of the service that a running server uses. */
export interface ServedService extends OperationDeps {
  readonly backgroundCheck: OperationDeps['backgroundCheck'] & Pick<BackgroundCheck, 'start'>;
  /** The one-time set-up link for the first administrator. */
  readonly setup: Pick<Setup, 'token'>;
  readonly logoutDeliveries: Pick<LogoutDeliveries, 'start'>;
  readonly invitations: OperationDeps['invitations'] & Pick<Invitations, 'forgetExpired'>;
  readonly keyRotation: OperationDeps['keyRotation'] & Pick<KeyRotation, 'maintain'>;
}

export interface RunningServerDeps {
  readonly service: ServedService;
  readonly dataDir: string;
  /** The HTTP servers to drain when stopping. Without any, the caller must wait for requests in flight. */
  readonly servers: readonly Server[];
  /** Aborted when stopping, to end responses that would never end, such as event streams. */
  readonly stopping: AbortController;
  readonly log: { error(fields: object, message: string): void };
}

/** A server that is running on its data directory. */
export interface RunningServer {
  /**
   * Stops accepting connections, completes the requests in flight, and closes the control socket. The log stays open.
   * Idempotent.
   */
  stop(): Promise<void>;
}

/** The interval between checkpoints. Later changes to the events that a checkpoint covers are detectable. */
const CHECKPOINT_INTERVAL_MILLISECONDS = 60_000;

/** The interval between checks of the signing keys. It is much shorter than the time between their rotations. */
const KEY_CHECK_INTERVAL_MILLISECONDS = 600_000;

/**
 * Starts the background work of a server: serves commands on the control socket, signs a checkpoint every minute,
 * maintains the signing keys, delivers logout tokens, and verifies the stored log once. None of it keeps the process
 * alive.
 * @throws Error if another process is already listening on the control socket, or if the socket cannot be created
 */
export async function startServer(deps: RunningServerDeps): Promise<RunningServer> {
  const { service, dataDir, servers, stopping, log } = deps;
  const control = await serveControl(controlSocketPath(dataDir), operate(service), log);
  const serverConnections = servers.map((server) => [server, watchConnections(server)] as const);
  for (const server of servers) surviveFailedAccepts(server, log);
  const checkpointTimer = setInterval(() => void signCheckpoint(service, log), CHECKPOINT_INTERVAL_MILLISECONDS);
  checkpointTimer.unref();
  service.logoutDeliveries.start();
  let maintenance = maintainKeys(service, log);
  const keyTimer = setInterval(() => {
    maintenance = maintenance.then(() => maintainKeys(service, log));
  }, KEY_CHECK_INTERVAL_MILLISECONDS).unref();
  const backgroundCheck = service.backgroundCheck.start(stopping.signal);
  let stopPromise: Promise<void> | undefined;

  async function stop(): Promise<void> {
    clearInterval(checkpointTimer);
    clearInterval(keyTimer);
    stopping.abort();
    try {
      await Promise.all(serverConnections.map(([server, connections]) => drain(server, connections)));
      await backgroundCheck;
      await maintenance;
    } finally {
      await control.close();
    }
  }
  return { stop: () => (stopPromise ??= stop()) };
}

/**
 * Rotates signing keys, and deletes the keys of expired invitations. A failure is not fatal: the next run tries again,
 * and issuing a token creates a missing signing key.
 */
async function maintainKeys(
  { keyRotation, invitations, clock }: Pick<ServedService, 'keyRotation' | 'invitations' | 'clock'>,
  log: RunningServerDeps['log'],
): Promise<void> {
  const now = Math.floor(clock.now() / 1000) as EpochSeconds;
  const report =
    (task: string) =>
    (error: unknown): void =>
      log.error({ err: error }, `cannot ${task}; retrying`);
  await keyRotation.maintain(now).catch(report('maintain the signing keys'));
  await invitations.forgetExpired().catch(report('delete the keys of expired invitations'));
}

/** Signs a checkpoint. A failure is not fatal: the next attempt follows in a minute. */
async function signCheckpoint({ attestation }: ServedService, log: RunningServerDeps['log']): Promise<void> {
  const report = (error: unknown): void => log.error({ err: error }, 'cannot sign a checkpoint; retrying in a minute');
  await attestation.checkpoint().catch(report);
}
