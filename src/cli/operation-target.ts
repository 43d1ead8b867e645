import { join } from 'node:path';
import { requireLog, requireUsableDirectory } from '../composition/directory-state.ts';
import type { InspectionContext, OperationDeps } from '../operations/operation-context.ts';
import type { findInspection } from '../operations/inspections.ts';
import type { operate } from '../operations/operations.ts';
import { openControl } from '../operations/control/client.ts';
import { CannotRunError } from './exit.ts';

/** A running server, or a log opened for one command, on which an operation runs. */
export interface OperationTarget {
  call(operation: string, input: unknown): AsyncGenerator<unknown, void, void>;
  close(): Promise<void>;
}

/** A service opened for a command, without an HTTP server. */
export interface OpenedService extends OperationDeps {
  close(): Promise<void>;
}

/** A log opened for inspection only. */
export interface OpenedInspection extends InspectionContext {
  close(): Promise<void>;
}

/** The functions that run operations in this process. */
export interface Operations {
  readonly operate: typeof operate;
  readonly findInspection: typeof findInspection;
}

export const controlSocketPath = (dataDir: string): string => join(dataDir, 'control.sock');

/**
 * Connects to the server that uses `dataDir`, or opens the log if no server is running.
 * @param create whether to create the log if it does not exist
 * @throws CannotRunError if another process has the log open and is not responding
 * @throws Error if the data directory cannot be used, or has no log
 * @throws ControlError if the server cannot be reached, or its response is invalid
 */
export async function openTarget(
  dataDir: string,
  operationName: string,
  {
    open,
    inspect,
    loadOperations,
    create,
    signal,
  }: {
    readonly open: () => Promise<OpenedService>;
    readonly inspect: () => Promise<OpenedInspection>;
    readonly loadOperations: () => Promise<Operations>;
    readonly create: boolean;
    readonly signal: AbortSignal;
  },
): Promise<OperationTarget> {
  requireUsableDirectory(dataDir);
  const server = await connectToServer(dataDir, signal);
  if (server !== undefined) return server;
  if (!create) requireLog(dataDir);
  try {
    const { findInspection, operate } = await loadOperations();
    const inspection = findInspection(operationName);
    if (inspection !== undefined) {
      const target = await inspect();
      return { call: (_operation, input) => inspection(input, target, signal), close: () => target.close() };
    }
    const service = await open();
    return { call: (operation, input) => operate(service)(operation, input, signal), close: () => service.close() };
  } catch (error) {
    if (!isLocked(error)) throw error;
    // A server may have started in the meantime.
    return (await connectToServer(dataDir, signal)) ?? serverUnreachable(dataDir);
  }
}

async function connectToServer(dataDir: string, signal: AbortSignal): Promise<OperationTarget | undefined> {
  const channel = await openControl(controlSocketPath(dataDir));
  if (channel === null) return undefined;
  signal.addEventListener('abort', channel.close, { once: true });
  return { call: channel.call, close: async () => channel.close() };
}

function serverUnreachable(dataDir: string): never {
  const socket = controlSocketPath(dataDir);
  throw new CannotRunError(
    `another process has the event log in ${dataDir} open but is not responding on ${socket}; ` +
      'if a server is starting or another command is running, try again later',
  );
}

/** Reports whether the error means that another process has the log open. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.name === 'LogLocked';
}
