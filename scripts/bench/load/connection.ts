import { connect, type Socket } from 'node:net';

/** A keep-alive connection. */
export interface Connection {
  send(request: string): void;
  close(): void;
}

export interface Listener {
  onResponse(status: number, body: string, head: string): void;
  /** Called when the connection fails, or a response cannot be parsed. */
  onFailure(reason: string): void;
}

const READ_BYTES = 65_536;
const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Opens a raw socket, because an HTTP client would cost as much as the server and become the bottleneck. */
export function openConnection(port: number, listener: Listener): Promise<Connection> {
  let pending = '';
  let isClosing = false;

  function receive(text: string): void {
    pending = pending === '' ? text : pending + text;
    const headEnd = pending.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = LENGTH.exec(pending)?.[1];
    if (length === undefined) {
      listener.onFailure(`a response without Content-Length: ${pending.slice(0, headEnd)}`);
      return;
    }
    const bodyStart = headEnd + HEAD_END.length;
    const end = bodyStart + Number(length);
    if (pending.length < end) return;
    const status = Number(pending.slice(9, 12));
    const [head, body] = [pending.slice(0, headEnd), pending.slice(bodyStart, end)];
    pending = '';
    listener.onResponse(status, body, head);
  }

  return new Promise((resolve, reject) => {
    const socket: Socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback(size, buffer) {
          receive((buffer as Buffer).toString('latin1', 0, size));
          return true;
        },
      },
    });
    socket.once('connect', () =>
      resolve({
        send: (request) => void socket.write(request, 'latin1'),
        close() {
          isClosing = true;
          socket.destroy();
        },
      }),
    );
    socket.on('error', (error) => {
      reject(error);
      if (!isClosing) listener.onFailure(error.message);
    });
    socket.on('close', () => {
      if (!isClosing) listener.onFailure('the server closed a connection');
    });
  });
}
