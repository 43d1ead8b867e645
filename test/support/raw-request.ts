import { connect } from 'node:net';

/**
 * Sends bytes as they are and resolves with the status of the answer; undefined when the server hung
 * up without one. For requests that no HTTP client would let through.
 */
export async function rawRequest(port: number, bytes: Buffer): Promise<number | undefined> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {}); // hung up on while still sending: what was answered counts
  socket.on('end', () => socket.end());
  socket.end(bytes);
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const status = /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 (\d{3})/.exec(Buffer.concat(chunks).toString('latin1'))?.[1];
  return status === undefined ? undefined : Number(status);
}
