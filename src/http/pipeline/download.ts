import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { RequestContext } from './state.ts';

export interface Download {
  readonly fileName: string;
  readonly contentType: string;
  /** Generates the text of the file. The signal aborts when the reader disconnects. */
  readonly pieces: (signal: AbortSignal) => AsyncIterable<string> | Iterable<string>;
  /** Reports whether the session and the role still permit the download; both can change while a long file is read. */
  readonly mayStillRead: () => boolean;
}

/** In characters. */
const CHUNK_LENGTH = 65_536;

/**
 * Responds with a file that is generated while it is sent. A slow reader slows the generator down, and other requests
 * are served between chunks.
 */
export function sendDownload(ctx: RequestContext, { fileName, contentType, pieces, mayStillRead }: Download): Readable {
  const closing = new AbortController();
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK_LENGTH });
  stream.once('close', () => closing.abort());
  stream.once('error', () => ctx.res.destroy()); // otherwise the reader would wait for more
  ctx.attachment(fileName);
  ctx.type = contentType;
  ctx.body = stream;
  return stream;

  async function* chunks(): AsyncGenerator<string, void, void> {
    let chunk = '';
    for await (const piece of pieces(closing.signal)) {
      chunk += piece;
      if (chunk.length < CHUNK_LENGTH) continue;
      if (!mayStillRead()) return void ctx.res.destroy(); // so the reader notices that the file is incomplete
      yield chunk;
      chunk = '';
      await turn();
    }
    if (chunk !== '') yield chunk;
  }
}
