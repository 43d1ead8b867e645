import type { Server } from 'node:http';
import type { OperationContext } from '../operations/operation-context.ts';
import { operate } from '../operations/operations.ts';
import type { BackgroundCheck } from '../audit/proofs/background-check.ts';
import { serveControl } from '../operations/control/server.ts';
import type { Setup } from '../accounts/setup.ts';
import { surviveFailedAccepts } from '../platform/open-files.ts';
import { drain, watchConnections } from './drain.ts';
import { controlSocketPath } from './operation-target.ts';

/** What a server on a data directory needs of its service. */
export interface ServedService extends OperationContext {
  readonly backgroundCheck: OperationContext['backgroundCheck'] & Pick<BackgroundCheck, 'start'>;
  /** The way in for the first administrator: the token of a link that works once. */
  readonly setup: Pick<Setup, 'token'>;
}

export interface RunningServerParts {
  readonly service: ServedService;
  readonly dataDir: string;
  /** Answers requests, now or soon; without one, somebody else waits for the requests in flight. */
  readonly server?: Server | undefined;
  /** Aborted at the stop, when answers that never end by themselves should end. */
  readonly stopping: AbortController;
  readonly log: { error(fields: object, message: string): void };
}

/** A server at work on its data directory. */
export interface RunningServer {
  /**
   * Takes no more connections, lets the requests in flight have their answers, and closes the control socket. The log
   * stays open. Idempotent.
   */
  stop(): Promise<void>;
}

/** A checkpoint is signed though nobody asks for one: what was written before it cannot be changed unnoticed. */
const CHECKPOINT_MILLISECONDS = 60_000;

/**
 * Does what a server does besides answering HTTP: it answers commands on the control socket of the data directory,
 * signs a checkpoint every minute, and checks the stored log once. Nothing of it keeps the process alive.
 * @throws Error another process answers on the control socket, or it cannot be made
 */
export async function startServer(parts: RunningServerParts): Promise<RunningServer> {
  const { service, dataDir, server, stopping, log } = parts;
  const control = await serveControl(controlSocketPath(dataDir), operate(service), log);
  const connections = server && watchConnections(server);
  if (server !== undefined) surviveFailedAccepts(server, log);
  const checkpoints = setInterval(() => void signCheckpoint(service, log), CHECKPOINT_MILLISECONDS);
  checkpoints.unref();
  const checking = service.backgroundCheck.start(stopping.signal);
  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    clearInterval(checkpoints);
    stopping.abort();
    try {
      if (server !== undefined && connections !== undefined) await drain(server, connections);
      await checking;
    } finally {
      await control.close();
    }
  }
  return { stop: () => (stopped ??= stop()) };
}

/** How the first administrator is made, with the link for it; undefined once there is one. */
export function setupNotice({ setup, issuer }: ServedService): string | undefined {
  const token = setup.token();
  if (token === undefined) return undefined;
  return `there is no administrator yet; make one at ${issuer()}/accounts/setup/?token=${token}`;
}

/** One that cannot be kept is not signed; it is tried again in a minute, and is no reason to stop. */
async function signCheckpoint({ attestation }: ServedService, log: RunningServerParts['log']): Promise<void> {
  const report = (error: unknown): void =>
    log.error({ err: error }, 'no checkpoint could be signed; trying again in a minute');
  await attestation.checkpoint().catch(report);
}
