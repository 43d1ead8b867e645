import type { IncomingMessage } from 'node:http';
import { createGrowingBuffer, type GrowingBuffer } from '../growing-buffer.ts';

/** Why a body could not be read: it exceeds the limit, or the connection ended before the body did. */
export type BodyProblem = 'too-large' | 'cut-short';

/**
 * Reads the whole body of a request. Every endpoint that takes a body uses this reader, once for each request.
 * @param limitBytes the largest body that is read; the rest of a larger body stays unread
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | BodyProblem> {
  const declared = request.headers['content-length'];
  const mostBytes = declared === undefined ? limitBytes : Number(declared);
  if (mostBytes > limitBytes) return Promise.resolve('too-large');
  if (request.readableEnded || request.destroyed) return Promise.resolve('cut-short');
  return new Promise((resolve) => {
    let body: GrowingBuffer | undefined;
    let whole: Buffer | undefined;

    function take(chunk: Buffer): void {
      if (declared !== undefined && chunk.length === mostBytes) {
        whole = chunk; // most bodies arrive in one piece, which needs no copy
        return;
      }
      body ??= createGrowingBuffer(mostBytes);
      if (body.append(chunk)) return;
      request.pause();
      settle('too-large');
    }

    const end = (): void => settle(whole ?? body?.bytes() ?? Buffer.alloc(0));
    const fail = (): void => settle('cut-short');

    function settle(result: Buffer | BodyProblem): void {
      request.off('data', take).off('end', end).off('close', fail).off('error', fail);
      resolve(result);
    }

    request.on('data', take).once('end', end).once('close', fail).once('error', fail);
  });
}
