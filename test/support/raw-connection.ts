import { once } from 'node:events';
import { connect } from 'node:net';

/** A connection on which bytes go out when the test says so. It never ends by itself. */
export interface RawConnection {
  send(bytes: string): void;
  /** Sends one more byte again and again, as somebody who wants to hold a place. */
  dribble(byte: string): void;
  /** Sends no more, and says so: half of the connection is closed. */
  end(): void;
  /** All that the other side sent until it hung up. */
  readonly closed: Promise<string>;
  /** Resolves when what came so far matches. */
  received(pattern: RegExp): Promise<string>;
  destroy(): void;
}

const DRIBBLE_MILLISECONDS = 5;

/** @param reading whether what comes is taken from the network at all */
export async function rawConnection(
  port: number,
  { reading = true }: { readonly reading?: boolean } = {},
): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {}); // being cut off is what some tests are about
  await once(socket, 'connect');
  let text = '';
  let dribbling: NodeJS.Timeout | undefined;
  if (reading) socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.once('end', () => socket.end());
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => {
      clearInterval(dribbling);
      resolve(text);
    });
  });
  return {
    closed,
    send: (bytes) => void socket.write(bytes),
    dribble(byte) {
      dribbling = setInterval(() => void socket.write(byte), DRIBBLE_MILLISECONDS);
    },
    end: () => void socket.end(),
    async received(pattern) {
      while (!pattern.test(text)) await once(socket, 'data');
      return text;
    },
    destroy: () => void socket.destroy(),
  };
}
