import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { OperationRefused } from './operation-refused.ts';
import { surviveFailedAccepts } from '../../platform/open-files.ts';
import { openControl } from './client.ts';
import { readLines, PROTOCOL, type ControlResponse, type Greeting, type ControlRequest } from './protocol.ts';
import { socketAddress } from './socket-address.ts';

/**
 * Runs one operation and yields the items to send. `signal` aborts when the caller disconnects or the server closes.
 */
export type RunOperation = (operation: string, input: unknown, signal: AbortSignal) => AsyncIterable<unknown>;

export interface ControlServer {
  /** Stops accepting requests, aborts those in progress and waits until they have ended. Idempotent. */
  close(): Promise<void>;
}

/** Enough to import several hundred thousand accounts. This is safe, because only the server's user can connect. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/**
 * Even the largest request arrives in about a second. A caller that has not sent its request after a minute is
 * suspended or broken.
 */
const REQUEST_TIMEOUT_MILLISECONDS = 60_000;

/**
 * Serves operations on the Unix socket at `path`, accessible to this user only. Replaces a socket that a dead process
 * left behind.
 * @param requestTimeoutMilliseconds how long a caller may take to send its request
 * @throws Error if another process is already listening there, or the socket cannot be created
 */
export async function serveControl(
  path: string,
  run: RunOperation,
  log: Parameters<typeof surviveFailedAccepts>[1] = { error: () => {} },
  requestTimeoutMilliseconds = REQUEST_TIMEOUT_MILLISECONDS,
): Promise<ControlServer> {
  await removeStaleSocket(path);
  const connections = new Map<Promise<void>, AbortController>();
  const { address, release } = await socketAddress(path);

  const server = createServer((socket) => {
    const abort = new AbortController();
    const connection = handleConnection(socket, { run, requestTimeoutMilliseconds }, abort).finally(() =>
      connections.delete(connection),
    );
    connections.set(connection, abort);
  });
  server.unref(); // open connections keep the process alive, but the listening socket does not
  try {
    await listenPrivately(server, address);
  } catch (error) {
    await release();
    throw error;
  }

  surviveFailedAccepts(server, log);

  let closing: Promise<void> | undefined;
  return {
    close() {
      closing ??= (async () => {
        const serverClosed = once(server, 'close');
        server.close(); // also removes the socket
        for (const abort of connections.values()) abort.abort();
        await Promise.all(connections.keys());
        await serverClosed;
        await release();
      })();
      return closing;
    },
  };
}

async function removeStaleSocket(path: string): Promise<void> {
  const channel = await openControl(path);
  if (channel !== null) {
    channel.close();
    throw new Error(`another process is already listening on ${path}`);
  }
  await unlink(path).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** `listen` binds synchronously, so restricting the umask during the call is enough to keep the socket private. */
async function listenPrivately(server: Server, address: string): Promise<void> {
  const previousMask = process.umask(0o177);
  try {
    server.listen(address);
  } finally {
    process.umask(previousMask);
  }
  await once(server, 'listening');
}

interface ConnectionOptions {
  readonly run: RunOperation;
  readonly requestTimeoutMilliseconds: number;
}

async function handleConnection(
  socket: Socket,
  { run, requestTimeoutMilliseconds }: ConnectionOptions,
  abort: AbortController,
): Promise<void> {
  const { signal } = abort;
  socket.on('error', () => abort.abort()); // the caller is gone; `close` follows
  socket.on('close', () => abort.abort());
  try {
    await send(socket, { protocol: PROTOCOL }, signal);
    const request = await readRequest(socket, requestTimeoutMilliseconds, signal);
    if (request !== undefined) await sendResults(socket, run(request.operation, request.input, signal), signal);
  } catch (error) {
    if (!signal.aborted) socket.write(toLine(toEnd(error)));
  }
  await hangUp(socket, signal);
}

/**
 * Reads the first line. Returns undefined if the caller ends the connection without sending one.
 * @throws Error if the line does not arrive in time, or the connection or the server closes
 */
async function readRequest(
  socket: Socket,
  milliseconds: number,
  signal: AbortSignal,
): Promise<ControlRequest | undefined> {
  const giveUp = () => socket.destroy();
  const timer = setTimeout(giveUp, milliseconds);
  signal.addEventListener('abort', giveUp, { once: true });
  const chunks = socket.iterator({ destroyOnReturn: false });
  try {
    for await (const text of readLines(chunks, MAX_REQUEST_BYTES)) {
      socket.resume(); // discards further data, so that the end of the stream is detected
      return JSON.parse(text) as ControlRequest;
    }
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

async function sendResults(socket: Socket, items: AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
  let end: ControlResponse = { end: 'done' };
  try {
    for await (const item of items) {
      if (signal.aborted) break;
      await send(socket, { item }, signal);
    }
  } catch (error) {
    end = toEnd(error);
  }
  if (!socket.destroyed) socket.write(toLine(end));
}

function toEnd(error: unknown): ControlResponse {
  if (error instanceof OperationRefused) {
    const { message, kind, problems } = error;
    return { end: 'refused', message, kind, problems };
  }
  return { end: 'failed', message: error instanceof Error ? error.message : String(error) };
}

function toLine(message: Greeting | ControlResponse): string {
  return `${JSON.stringify(message)}\n`;
}

/** Sends the message. Resolves once the socket accepts more data, or is closed. */
async function send(socket: Socket, message: Greeting | ControlResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted || socket.destroyed || socket.write(toLine(message))) return;
  await once(socket, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Closes the connection once everything has been sent. A caller that does not read cannot delay the shutdown. */
async function hangUp(socket: Socket, signal: AbortSignal): Promise<void> {
  if (socket.closed) return;
  const socketClosed = new Promise((resolve) => {
    socket.once('close', resolve); // emitted after errors as well
  });
  if (signal.aborted && socket.writableNeedDrain) socket.destroy();
  else socket.destroySoon();
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  await socketClosed;
}
