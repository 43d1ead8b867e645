import type { IncomingMessage } from 'node:http';
import { createGrowingBuffer, type GrowingBuffer } from '../../platform/growing-buffer.ts';

/**
 * The reason why a body could not be read: the body exceeds the limit or has more than `MAX_SMALL_CHUNKS` small chunks,
 * or the connection ended before the body was complete.
 */
export type BodyProblem = 'too-large' | 'too-many-chunks' | 'cut-short';

/**
 * A chunk with fewer bytes is small. A full TCP segment carries at least 536 bytes (RFC 9293 §3.7.1), so slow networks
 * do not produce small chunks.
 */
const SMALL_CHUNK_BYTES = 512;

/**
 * Node's parser emits each chunk of a chunked body separately, so tiny chunks take far more time than the same bytes in
 * one piece. A client that sends each name and value of a form as a separate chunk stays below this limit.
 */
export const MAX_SMALL_CHUNKS = 2_000;

/**
 * Reads the whole request body. Every endpoint that takes a body uses this reader, once for each request.
 * @param limitBytes the maximum size of the body
 * @returns the body, or a problem as soon as one is detected. After a problem, the rest of the body remains unread, so
 *   the caller must close the connection.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | BodyProblem> {
  const declaredLength = request.headers['content-length'];
  const maxBytes = declaredLength === undefined ? limitBytes : Number(declaredLength);
  if (maxBytes > limitBytes) return Promise.resolve('too-large');
  if (request.readableEnded || request.destroyed) return Promise.resolve('cut-short');
  return new Promise((resolve) => {
    let body: GrowingBuffer | undefined;
    let wholeBody: Buffer | undefined;
    let smallChunkCount = 0;

    function take(chunk: Buffer): void {
      if (declaredLength !== undefined && chunk.length === maxBytes) {
        wholeBody = chunk; // most bodies arrive in one piece, which needs no copy
        return;
      }
      body ??= createGrowingBuffer(maxBytes);
      if (chunk.length < SMALL_CHUNK_BYTES) smallChunkCount += 1;
      if (smallChunkCount > MAX_SMALL_CHUNKS) stop('too-many-chunks');
      else if (!body.append(chunk)) stop('too-large');
    }

    /** Stops reading from the connection. Data that the parser has already read is discarded, so it takes no memory. */
    function stop(problem: BodyProblem): void {
      request.on('data', doNothing); // without a listener, the data would be buffered
      Object.assign(request, { _read: doNothing }); // the original method would resume the socket
      request.socket.pause();
      settle(problem);
    }

    const end = (): void => settle(wholeBody ?? body?.bytes() ?? Buffer.alloc(0));
    const fail = (): void => settle('cut-short');

    /**
     * Resolves the promise and removes the listeners. A request that kept its listeners would survive several scavenges
     * of the garbage collector, each of which would take up to eight times as long (`npm run bench -- profile --rows
     * introspection`).
     */
    function settle(result: Buffer | BodyProblem): void {
      request.off('data', take).off('end', end).off('close', fail).off('error', fail);
      resolve(result);
    }

    // `on`, because `once` would create a wrapper for each listener of every request.
    request.on('data', take).on('end', end).on('close', fail).on('error', fail);
  });
}

function doNothing(): void {}
