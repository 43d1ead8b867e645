import { connect } from 'node:net';

export interface RawRequestOptions {
  /** Whether the client closes its half after the bytes. If not, the server has to close the connection. */
  readonly hangsUp?: boolean;
  /** How long to wait for the response. */
  readonly timeoutMilliseconds?: number;
}

const TIMEOUT_MILLISECONDS = 1_000;

/**
 * Sends raw bytes, for requests that HTTP clients refuse to send.
 * @returns the status of the response; undefined if the server disconnected without one, or was still waiting for more
 * bytes at the timeout
 */
export async function sendRawRequest(
  port: number,
  bytes: Buffer,
  options: RawRequestOptions = {},
): Promise<number | undefined> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {}); // the server may disconnect while the client is sending; only its response matters
  socket.on('end', () => socket.end());
  socket.setTimeout(options.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS, () => socket.destroy());
  if (options.hangsUp === true) socket.end(bytes);
  else socket.write(bytes);
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const status = /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 (\d{3})/.exec(
    Buffer.concat(chunks).toString('latin1'),
  )?.[1];
  return status === undefined ? undefined : Number(status);
}
