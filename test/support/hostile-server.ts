import { createServer, type Server, type Socket } from 'node:net';

/** A server that writes raw bytes, so that it can break every rule of HTTP. */
export interface HostileServer {
  readonly port: number;
  /** The requests received so far: each head, and the part of the body that arrived with it. */
  readonly requests: readonly string[];
  /** Resolves once `count` requests have arrived. */
  waitForRequests(count: number): Promise<void>;
  /** Resolves when no connection is open. */
  waitUntilIdle(): Promise<void>;
  close(): Promise<void>;
}

/** @param respond is called with the connection once the request's head has arrived */
export async function startHostileServer(respond: (socket: Socket, request: string) => void): Promise<HostileServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let listeners: (() => void)[] = [];
  const notifyListeners = (): void => {
    const pendingListeners = listeners;
    listeners = [];
    for (const listener of pendingListeners) listener();
  };
  async function waitUntil(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => listeners.push(resolve));
  }

  const server: Server = createServer((socket) => {
    let text = '';
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      notifyListeners();
    });
    socket.on('data', (bytes) => {
      const isNew = !text.includes('\r\n\r\n');
      text += bytes.toString('latin1');
      if (!isNew || !text.includes('\r\n\r\n')) return;
      requests.push(text);
      notifyListeners();
      respond(socket, text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    port: address.port,
    requests,
    waitForRequests: (count) => waitUntil(() => requests.length >= count),
    waitUntilIdle: () => waitUntil(() => sockets.size === 0),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes `piece` repeatedly, as long as the other side reads. */
export function flood(socket: Socket, piece: string): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', write);
  write();
}
