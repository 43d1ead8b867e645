import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { mayAudit } from '../../domain/roles.ts';
import type { Slots } from '../../slots.ts';
import type { RequestContext } from '../state.ts';
import { inTurn } from './in-turn.ts';

export interface Download {
  readonly fileName: string;
  readonly contentType: string;
  readonly lines: (signal: AbortSignal) => AsyncIterable<string> | Iterable<string>;
}

/** In characters. */
const CHUNK_LENGTH = 65_536;

/**
 * Answers with a file that is made while it is read: what a slow reader has not taken is not made yet, and others have
 * their turn after every chunk. Resolves once it has begun; its slot is taken until it is over.
 * @throws PageError 503 too many are being read
 */
export async function answerDownload(ctx: RequestContext, { fileName, contentType, lines }: Download, slots: Slots): Promise<void> {
  const over = new AbortController();
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK_LENGTH });
  const closed = new Promise<void>((resolve) => void stream.once('close', resolve));
  stream.once('close', () => over.abort());
  stream.once('error', () => ctx.res.destroy()); // or the reader would wait for the rest
  await begun();
  ctx.attachment(fileName);
  ctx.type = contentType;
  ctx.body = stream;

  function begun(): Promise<void> {
    return new Promise((begin, refuse) => {
      const held = inTurn(slots, () => {
        begin();
        return closed;
      });
      held.catch((error: unknown) => {
        stream.destroy();
        refuse(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  /** A log-in can end, and a role be taken away, while a long file is read. */
  function mayStillRead(): boolean {
    const person = ctx.state.webSession.person();
    return person !== undefined && mayAudit(person.user.roles);
  }

  async function* chunks(): AsyncGenerator<string, void, void> {
    let chunk = '';
    for await (const line of lines(over.signal)) {
      chunk += line;
      if (chunk.length < CHUNK_LENGTH) continue;
      if (!mayStillRead()) return void ctx.res.destroy(); // cut off, and not ended as if that were all
      yield chunk;
      chunk = '';
      await turn();
    }
    if (chunk !== '') yield chunk;
  }
}
