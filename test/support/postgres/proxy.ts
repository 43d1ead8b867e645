import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { findStablePort } from '../../../scripts/postgres/stable-port.ts';

/** A proxy in front of a PostgreSQL server that can fail like a network. */
export interface PostgresProxy {
  readonly port: number;
  /** Returns a connection URL for the same database through the proxy. */
  proxiedUrl(url: string): string;
  /** Resets all connections. New ones are still accepted. */
  cut(): void;
  /** Refuses new connections. Existing ones stay open. */
  refuse(): Promise<void>;
  /** Holds back all data in both directions without closing connections. `pass` delivers the data. */
  partition(): void;
  /** Delays every chunk of data. */
  delay(milliseconds: number): void;
  /** Undoes `refuse`, `partition` and `delay`. */
  pass(): Promise<void>;
  /**
   * Forwards the next matching request, waits for the server's complete reply, discards it, and resets the connection:
   * the client cannot know that its statement was committed. The text of a prepared statement is sent only once; after
   * that, `request` must match its name. Clients must neither encrypt nor pipeline.
   * @returns a promise that resolves when the reply has been dropped
   */
  dropNextReply(request: RegExp): Promise<void>;
  close(): Promise<void>;
}

/** A ReadyForQuery message, without its last byte. PostgreSQL sends it after the commit. */
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);

interface ReplyToDrop {
  readonly request: RegExp;
  onDropped(): void;
  onLost(): void;
}

/** @param target the port of the server on 127.0.0.1 */
export async function startProxy(target: number): Promise<PostgresProxy> {
  const port = await findStablePort();
  const listener = createServer({ pauseOnConnect: true }, (client) => void relay(client));
  const sockets = new Set<Socket>();
  let delayMilliseconds = 0;
  let heal: (() => void) | undefined;
  let partitionEnd = Promise.resolve();
  let replyToDrop: ReplyToDrop | undefined;

  async function relay(client: Socket): Promise<void> {
    track(client);
    await partitionEnd;
    const server = track(connect(target, '127.0.0.1'));
    let requests = '';
    let replyBeingDropped: ReplyToDrop | undefined;
    let reply = Buffer.alloc(0);

    function onRequest(bytes: Buffer): void {
      requests = replyToDrop === undefined ? '' : requests + bytes.toString('latin1'); // a request may arrive in pieces
      if (replyToDrop?.request.test(requests) === true) {
        replyBeingDropped = replyToDrop;
        replyToDrop = undefined;
      }
      server.write(bytes);
    }

    function onReply(bytes: Buffer): void {
      if (replyBeingDropped === undefined) return void client.write(bytes);
      reply = Buffer.concat([reply, bytes]);
      if (!reply.includes(READY_FOR_QUERY)) return;
      client.resetAndDestroy();
      server.destroy();
      replyBeingDropped.onDropped();
    }

    await Promise.race([pump(client, onRequest), pump(server, onReply)]);
    await partitionEnd; // during a partition, the other side does not learn that the connection has ended
    client.destroy();
    server.destroy();
    replyBeingDropped?.onLost();
  }

  function track(socket: Socket): Socket {
    sockets.add(socket.setNoDelay());
    socket.on('error', () => {}); // `pump` ends as well
    return socket.once('close', () => sockets.delete(socket));
  }

  /** Resolves when `from` has ended. */
  async function pump(from: Socket, deliver: (bytes: Buffer) => void): Promise<void> {
    try {
      for await (const bytes of from) {
        if (delayMilliseconds > 0) await setTimeout(delayMilliseconds);
        await partitionEnd;
        deliver(bytes as Buffer);
      }
    } catch {
      // reset
    }
  }

  function cut(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  async function listen(): Promise<void> {
    await once(listener.listen(port, '127.0.0.1'), 'listening');
  }

  await listen();
  return {
    port,
    cut,
    proxiedUrl(url) {
      const proxiedAddress = new URL(url);
      proxiedAddress.port = String(port);
      return proxiedAddress.href;
    },
    async refuse() {
      listener.close(); // stops listening at once, and closes after the existing connections have ended
    },
    partition() {
      partitionEnd = new Promise((resolve) => (heal = resolve));
    },
    delay(milliseconds) {
      delayMilliseconds = milliseconds;
    },
    async pass() {
      delayMilliseconds = 0;
      heal?.();
      if (!listener.listening) await listen();
    },
    dropNextReply: (request) =>
      new Promise((resolve, reject) => {
        const onLost = (): void => reject(new Error('the connection ended before the server had replied'));
        replyToDrop = { request, onDropped: resolve, onLost };
      }),
    async close() {
      listener.close();
      heal?.();
      cut();
    },
  };
}
