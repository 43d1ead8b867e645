import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { OperationRefused } from '../refused.ts';
import { surviveFailedAccepts } from '../../platform/open-files.ts';
import { openControl } from './client.ts';
import { readLines, PROTOCOL, type ControlResponse, type Greeting, type ControlRequest } from './protocol.ts';
import { socketAddress } from './socket-address.ts';

/** Carries out one operation; what it yields is sent on. `signal` aborts when nobody waits for it any more. */
export type RunOperation = (operation: string, input: unknown, signal: AbortSignal) => AsyncIterable<unknown>;

export interface ControlServer {
  /** Takes no more requests, aborts those in progress and waits until each of them has ended. Idempotent. */
  close(): Promise<void>;
}

/** An import of some hundred thousand accounts; only this user can send one. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** A request of that size arrives in about a second. A caller that needs longer is stopped or broken. */
const REQUEST_MILLISECONDS = 60_000;

/**
 * Answers operators on the Unix socket at `path`, which only this user can open, from the moment it
 * is there. A socket that a dead process left behind is replaced.
 * @param requestMilliseconds how long a caller may take to send its request
 * @throws Error somebody answers there already, or the socket cannot be made
 */
export async function serveControl(
  path: string,
  run: RunOperation,
  log: Parameters<typeof surviveFailedAccepts>[1] = { error: () => {} },
  requestMilliseconds = REQUEST_MILLISECONDS,
): Promise<ControlServer> {
  await removeStale(path);
  const conversations = new Map<Promise<void>, AbortController>();
  const { address, release } = await socketAddress(path);

  const server = createServer((socket) => {
    const abort = new AbortController();
    const conversation = handleConnection(socket, { run, requestMilliseconds }, abort).finally(() =>
      conversations.delete(conversation),
    );
    conversations.set(conversation, abort);
  });
  server.unref(); // whoever asks keeps the process alive, but nobody has to
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
        const closed = once(server, 'close');
        server.close(); // removes the socket, too
        for (const abort of conversations.values()) abort.abort();
        await Promise.all(conversations.keys());
        await closed;
        await release();
      })();
      return closing;
    },
  };
}

async function removeStale(path: string): Promise<void> {
  const channel = await openControl(path);
  if (channel !== null) {
    channel.close();
    throw new Error(`another process answers on ${path}`);
  }
  await unlink(path).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** `listen` binds before it returns: the mask is narrow for that long only, and the socket is never open to others. */
async function listenPrivately(server: Server, address: string): Promise<void> {
  const usual = process.umask(0o177);
  try {
    server.listen(address);
  } finally {
    process.umask(usual);
  }
  await once(server, 'listening');
}

interface ConnectionOptions {
  readonly run: RunOperation;
  readonly requestMilliseconds: number;
}

async function handleConnection(
  socket: Socket,
  { run, requestMilliseconds }: ConnectionOptions,
  abort: AbortController,
): Promise<void> {
  const { signal } = abort;
  socket.on('error', () => abort.abort()); // a caller that went away; `close` follows
  socket.on('close', () => abort.abort());
  try {
    await send(socket, { protocol: PROTOCOL }, signal);
    const request = await readRequest(socket, requestMilliseconds, signal);
    if (request !== undefined) await sendResults(socket, run(request.operation, request.input, signal), signal);
  } catch (error) {
    if (!signal.aborted) socket.write(toLine(toEnd(error)));
  }
  await hangUp(socket, signal);
}

/** The first line; undefined when the caller hung up without a request or took too long, or the server is closing. */
async function readRequest(
  socket: Socket,
  milliseconds: number,
  signal: AbortSignal,
): Promise<ControlRequest | undefined> {
  const giveUp = () => socket.destroy();
  const patience = setTimeout(giveUp, milliseconds);
  signal.addEventListener('abort', giveUp, { once: true });
  const chunks = socket.iterator({ destroyOnReturn: false });
  try {
    for await (const text of readLines(chunks, MAX_REQUEST_BYTES)) {
      socket.resume(); // what else may come is nobody's, but the end of it has to be seen
      return JSON.parse(text) as ControlRequest;
    }
    return undefined;
  } finally {
    clearTimeout(patience);
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
  const message = error instanceof Error ? error.message : String(error);
  return { end: error instanceof OperationRefused ? 'refused' : 'failed', message };
}

function toLine(message: Greeting | ControlResponse): string {
  return `${JSON.stringify(message)}\n`;
}

/** Resolves when there is room for more, or when there never will be. */
async function send(socket: Socket, message: Greeting | ControlResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted || socket.destroyed || socket.write(toLine(message))) return;
  await once(socket, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Ends once all is sent; a caller that does not read must not keep a server that is closing. */
async function hangUp(socket: Socket, signal: AbortSignal): Promise<void> {
  if (socket.closed) return;
  const closed = new Promise((resolve) => {
    socket.once('close', resolve); // whether or not an error came before it
  });
  if (signal.aborted && socket.writableNeedDrain) socket.destroy();
  else socket.destroySoon();
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  await closed;
}
