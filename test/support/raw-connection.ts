import { once } from 'node:events';
import { connect } from 'node:net';

/** A connection for sending arbitrary bytes. It stays open until either side closes it. */
export interface RawConnection {
  send(bytes: string): void;
  /** Sends `byte` every few milliseconds until the connection closes, like a client that tries to hold it open. */
  sendSlowly(byte: string): void;
  /** Closes the client's half of the connection. */
  end(): void;
  /** Resolves when the connection is closed, with everything the server has sent. */
  readonly closed: Promise<string>;
  /** Resolves with all text received so far, as soon as it matches. */
  waitForText(pattern: RegExp): Promise<string>;
  destroy(): void;
}

const INTERVAL_MILLISECONDS = 5;

/** @param isReading whether the client reads what the server sends */
export async function openRawConnection(
  port: number,
  { isReading = true }: { readonly isReading?: boolean } = {},
): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {}); // some tests expect to be disconnected
  await once(socket, 'connect');
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  if (isReading) socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
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
