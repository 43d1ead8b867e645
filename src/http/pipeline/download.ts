import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { RequestContext } from './state.ts';

export interface Download {
  readonly fileName: string;
  readonly contentType: string;
  /** The file's text, made piece by piece. The signal aborts when nobody reads on. */
  readonly pieces: (signal: AbortSignal) => AsyncIterable<string> | Iterable<string>;
  /** A session can end, and a role be taken away, while a long file is read. */
  readonly mayStillRead: () => boolean;
}

/** In characters. */
const CHUNK_LENGTH = 65_536;

/**
 * Answers with a file that is made while it is read: what a slow reader has not taken is not made yet, and others have
 * their turn after every chunk.
 */
export function sendDownload(ctx: RequestContext, { fileName, contentType, pieces, mayStillRead }: Download): Readable {
  const over = new AbortController();
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK_LENGTH });
  stream.once('close', () => over.abort());
  stream.once('error', () => ctx.res.destroy()); // or the reader would wait for the rest
  ctx.attachment(fileName);
  ctx.type = contentType;
  ctx.body = stream;
  return stream;

  async function* chunks(): AsyncGenerator<string, void, void> {
    let chunk = '';
    for await (const piece of pieces(over.signal)) {
      chunk += piece;
      if (chunk.length < CHUNK_LENGTH) continue;
      if (!mayStillRead()) return void ctx.res.destroy(); // cut off, and not ended as if that were all
      yield chunk;
      chunk = '';
      await turn();
    }
    if (chunk !== '') yield chunk;
  }
}
