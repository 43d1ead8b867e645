import { createConnection, type Socket } from 'node:net';
import { OperationRefused } from '../refused.ts';
import { readLines, PROTOCOL, type ControlResponse, type Greeting, type ControlRequest } from './protocol.ts';
import { socketAddress } from './socket-address.ts';

/** A connection to a running server; good for one call. */
export interface ControlChannel {
  /**
   * The items of the answer, as they arrive. Leaving the loop early hangs up and so stops the operation.
   * @throws OperationRefused the operation said no
   * @throws ControlFailed the operation failed, or the server went away in the middle of it
   */
  readonly call: (operation: string, input: unknown) => AsyncGenerator<unknown, void, void>;
  readonly close: () => void;
}

/** Somebody listens on the control socket, and does not answer as a server of this release does. */
export class ControlFailed extends Error {
  override readonly name = 'ControlFailed';
}

/** How long a server may take to greet. A busy one greets late; a stopped process never does. */
const GREETING_MILLISECONDS = 10_000;

/**
 * The server behind the socket at `path`; null when nobody listens there.
 * @throws ControlFailed somebody listens, but may not be asked or does not answer
 */
export async function openControl(path: string): Promise<ControlChannel | null> {
  const socket = await connect(path);
  if (socket === null) return null;
  const incoming = readLines(socket);
  await awaitGreeting(socket, incoming, path);
  return {
    call: (operation, input) => exchange(socket, incoming, { operation, input }),
    close: () => void socket.destroy(),
  };
}

/** One call to the server behind the socket at `path`. @throws ControlFailed also when nobody listens there */
export async function* callControl(
  path: string,
  operation: string,
  input: unknown,
): AsyncGenerator<unknown, void, void> {
  const channel = await openControl(path);
  if (channel === null) throw new ControlFailed(`nobody listens on ${path}`);
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
    throw new ControlFailed(`cannot reach ${path}`, { cause: error });
  }
}

function waitForConnection(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => {}); // the reader of the lines sees it
      resolve(socket);
    });
  });
}

async function awaitGreeting(
  socket: Socket,
  incoming: AsyncGenerator<string, void, void>,
  path: string,
): Promise<void> {
  const timer = setTimeout(() => socket.destroy(new Error('no greeting')), GREETING_MILLISECONDS);
  const first = await incoming.next().catch(() => ({ done: true, value: undefined }) as const);
  clearTimeout(timer);
  if (!first.done && (JSON.parse(first.value) as Greeting).protocol === PROTOCOL) return;
  socket.destroy();
  const what = first.done ? 'does not answer' : 'is of another release';
  throw new ControlFailed(`the process that listens on ${path} ${what}`);
}

async function* exchange(
  socket: Socket,
  incoming: AsyncGenerator<string, void, void>,
  request: ControlRequest,
): AsyncGenerator<unknown, void, void> {
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const text of incoming) {
      const answer = JSON.parse(text) as ControlResponse;
      if ('item' in answer) yield answer.item;
      else if (answer.end === 'done') return;
      else throw answer.end === 'refused' ? new OperationRefused(answer.message) : new ControlFailed(answer.message);
    }
    throw new ControlFailed('the server hung up in the middle of its answer');
  } finally {
    socket.destroy();
  }
}
