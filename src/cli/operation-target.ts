import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationContext } from '../operations/operation-context.ts';
import { findInspection, type InspectionContext } from '../operations/inspections.ts';
import { operate } from '../operations/operations.ts';
import { openControl } from '../operations/control/client.ts';
import { CannotRun } from './exit.ts';

/** Something that carries out one operation: a running server, or the log opened for it. */
export interface OperationTarget {
  call(operation: string, input: unknown): AsyncGenerator<unknown, void, void>;
  close(): Promise<void>;
}

/** A service opened for a command, without HTTP. */
export interface OpenedService extends OperationContext {
  close(): Promise<void>;
}

/** A log opened to be looked at only. */
export interface OpenedInspection extends InspectionContext {
  close(): Promise<void>;
}

export const controlSocketPath = (dataDir: string): string => join(dataDir, 'control.sock');

/**
 * The server that runs on `dataDir`, or else the log there, opened by `open`.
 * @param create whether a data directory that is not there yet is made
 * @throws CannotRun another process has the log open and does not answer, or there is no such directory
 * @throws ControlFailed the server does not answer as it should
 */
export async function openTarget(
  dataDir: string,
  wanted: string,
  {
    open,
    inspect,
    create,
    signal,
  }: {
    readonly open: () => Promise<OpenedService>;
    readonly inspect: () => Promise<OpenedInspection>;
    readonly create: boolean;
    readonly signal: AbortSignal;
  },
): Promise<OperationTarget> {
  const running = await connectToServer(dataDir, signal);
  if (running !== undefined) return running;
  if (!create && !existsSync(dataDir))
    throw new CannotRun(`there is no data directory ${dataDir}; set DATA_DIR to the one of the server`);
  try {
    const inspection = findInspection(wanted);
    if (inspection !== undefined) {
      const inspected = await inspect();
      return { call: (_operation, input) => inspection(input, inspected, signal), close: () => inspected.close() };
    }
    const opened = await open();
    return { call: (operation, input) => operate(opened)(operation, input, signal), close: () => opened.close() };
  } catch (error) {
    if (!isLocked(error)) throw error;
    // The server may have come up, or the other command may have ended in the meantime.
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
  throw new CannotRun(
    `another process has the event log in ${dataDir} open, but does not answer on ${controlSocketPath(dataDir)}; if it is starting or another command, try again when it is done`,
  );
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && error.name === 'LogLocked';
}
