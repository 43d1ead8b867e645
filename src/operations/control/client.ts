import { createConnection, type Socket } from 'node:net';
import { OperationRefused } from './operation-refused.ts';
import { readLines, PROTOCOL, type ControlResponse, type Greeting, type ControlRequest } from './protocol.ts';
import { socketAddress } from './socket-address.ts';

/** A connection to a running server, for a single call. */
export interface ControlChannel {
  /**
   * Yields the items of the result as they arrive. Leaving the loop early closes the connection, which stops the
   * operation.
   * @throws OperationRefused if the operation was refused
   * @throws ControlError if the operation failed, or the connection was lost
   */
  readonly call: (operation: string, input: unknown) => AsyncGenerator<unknown, void, void>;
  readonly close: () => void;
}

/**
 * Thrown when a call fails without being refused: no server of this release responded, the operation failed, or the
 * connection was lost.
 */
export class ControlError extends Error {
  override readonly name = 'ControlError';
}

/** A busy server may send the greeting late; a suspended one never does. */
const GREETING_MILLISECONDS = 10_000;

/**
 * Connects to the server that listens at `path`. Returns null if no server is listening.
 * @param greetingMilliseconds how long to wait for the server's greeting
 * @throws ControlError if a process is listening, but access is denied or the process does not respond
 */
export async function openControl(
  path: string,
  greetingMilliseconds = GREETING_MILLISECONDS,
): Promise<ControlChannel | null> {
  const socket = await connect(path);
  if (socket === null) return null;
  const lines = readLines(socket);
  await awaitGreeting(socket, lines, path, greetingMilliseconds);
  return {
    call: (operation, input) => sendRequest(socket, lines, { operation, input }),
    close: () => void socket.destroy(),
  };
}

/**
 * Makes a single call to the server that listens at `path`.
 * @throws OperationRefused if the operation was refused
 * @throws ControlError if no server is listening, the operation failed, or the connection was lost
 */
export async function* callControl(
  path: string,
  operation: string,
  input: unknown,
): AsyncGenerator<unknown, void, void> {
  const channel = await openControl(path);
  if (channel === null) throw new ControlError(`no server is listening on ${path}`);
  yield* channel.call(operation, input);
}

async function connect(path: string): Promise<Socket | null> {
  try {
    const { address, release } = await socketAddress(path);
    try {
      return await waitForConnection(createConnection(address));
    } finally {
      await release();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return null;
    throw new ControlError(`cannot connect to ${path}`, { cause: error });
  }
}

function waitForConnection(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => {}); // `readLines` reports errors
      resolve(socket);
    });
  });
}

async function awaitGreeting(
  socket: Socket,
  lines: AsyncGenerator<string, void, void>,
  path: string,
  milliseconds: number,
): Promise<void> {
  const timer = setTimeout(() => socket.destroy(new Error('no greeting')), milliseconds);
  const firstLine = await lines.next().catch(() => ({ done: true, value: undefined }) as const);
  clearTimeout(timer);
  if (!firstLine.done && (JSON.parse(firstLine.value) as Greeting).protocol === PROTOCOL) return;
  socket.destroy();
  const problem = firstLine.done ? 'is not responding' : 'runs a different release';
  throw new ControlError(`the process listening on ${path} ${problem}`);
}

/** Sends the request and yields the items of the response. */
async function* sendRequest(
  socket: Socket,
  lines: AsyncGenerator<string, void, void>,
  request: ControlRequest,
): AsyncGenerator<unknown, void, void> {
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const text of lines) {
      const response = JSON.parse(text) as ControlResponse;
      if ('item' in response) yield response.item;
      else if (response.end === 'done') return;
      else if (response.end === 'failed') throw new ControlError(response.message);
      else throw new OperationRefused(response.message, response.kind, response.problems);
    }
    throw new ControlError('the server closed the connection in the middle of its response');
  } finally {
    socket.destroy();
  }
}
