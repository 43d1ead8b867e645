import { once } from 'node:events';
import { connect } from 'node:net';

/** A connection on which the test sends bytes. It stays open until either side closes it. */
export interface RawConnection {
  send(bytes: string): void;
  /** Sends `byte` every few milliseconds until the connection closes, like a client that wants to hold it open. */
  sendSlowly(byte: string): void;
  /** Closes this half of the connection. */
  end(): void;
  /** Resolves with everything that the other side sent when the connection is closed. */
  readonly closed: Promise<string>;
  /** Resolves with the received text as soon as it matches. */
  waitForText(pattern: RegExp): Promise<string>;
  destroy(): void;
}

const INTERVAL_MILLISECONDS = 5;

/** @param reading whether the client reads what the server sends */
export async function openRawConnection(
  port: number,
  { reading = true }: { readonly reading?: boolean } = {},
): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {}); // some tests expect to be disconnected
  await once(socket, 'connect');
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  if (reading) socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.once('end', () => socket.end());
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => {
      clearInterval(timer);
      resolve(text);
    });
  });
  return {
    closed,
    send: (bytes) => void socket.write(bytes),
    sendSlowly(byte) {
      timer = setInterval(() => void socket.write(byte), INTERVAL_MILLISECONDS);
    },
    end: () => void socket.end(),
    async waitForText(pattern) {
      while (!pattern.test(text)) await once(socket, 'data');
      return text;
    },
    destroy: () => void socket.destroy(),
  };
}
