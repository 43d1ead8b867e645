import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestContext } from './state.ts';

export interface Download {
  readonly fileName: string;
  readonly contentType: string;
  /** Generates the content of the file. The signal is aborted when the client disconnects. */
  readonly generate: (signal: AbortSignal) => AsyncIterable<string> | Iterable<string>;
  /**
   * Reports whether the caller's session and role still permit the download. Both can change while a long file is being
   * sent.
   */
  readonly mayStillRead: () => boolean;
}

/** In characters. */
const CHUNK_LENGTH = 65_536;

/**
 * Responds with a file that is generated as it is being sent. A slow client slows the generator down, and other
 * requests are served between chunks.
 */
export function sendDownload(
  ctx: RequestContext,
  { fileName, contentType, generate, mayStillRead }: Download,
): Readable {
  const abortController = new AbortController();
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK_LENGTH });
  stream.once('close', () => abortController.abort());
  stream.once('error', () => ctx.res.destroy()); // without this, the client would wait for the rest of the file
  ctx.attachment(fileName);
  ctx.type = contentType;
  ctx.body = stream;
  return stream;

  async function* chunks(): AsyncGenerator<string, void, void> {
    let chunk = '';
    for await (const piece of generate(abortController.signal)) {
      chunk += piece;
      if (chunk.length < CHUNK_LENGTH) continue;
      if (!mayStillRead()) return void ctx.res.destroy(); // tells the client that the file is incomplete
      yield chunk;
      chunk = '';
      await nextTurn();
    }
    if (chunk === '') return;
    if (!mayStillRead()) return void ctx.res.destroy();
    yield chunk;
  }
}
