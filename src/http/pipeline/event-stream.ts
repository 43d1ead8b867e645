import { Readable } from 'node:stream';
import type { EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';

/** Calls `tick` again and again until what it returned is called. */
export type Heartbeat = (tick: () => void) => () => void;

/** Shorter than the half minute after which the more impatient proxies drop a silent connection. */
const HEARTBEAT_MILLISECONDS = 15_000;

export const every15Seconds: Heartbeat = (tick) => {
  const timer = setInterval(tick, HEARTBEAT_MILLISECONDS);
  return () => clearInterval(timer);
};

export interface EventStreamParts {
  readonly log: Pick<EventLog, 'subscribe'>;
  readonly after: Position;
  /** Asked before every chunk and at every heartbeat; the stream ends at the first no. */
  readonly mayRead: () => boolean;
  /** An event as a line of JSON. */
  readonly toLine: (event: RecordedEvent) => string;
  readonly heartbeat: Heartbeat;
  readonly stopping: AbortSignal;
}

/** What is made ready for a reader ahead of its reading, in bytes; the next batch stays in storage till there is room. */
const BUFFER_BYTES = 65_536;
/** Many events to a write: a system call for each would be the greater part of catching up. In characters. */
const CHUNK_LENGTH = 16_384;
const RECONNECT_MILLISECONDS = 1_000;

/** Events as text, as many to a chunk as fit; an event is never split between two. */
export function* toChunks(
  events: readonly RecordedEvent[],
  format: (event: RecordedEvent) => string,
): Generator<string, void, void> {
  let chunk = '';
  for (const event of events) {
    chunk += format(event);
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/**
 * Every event after `after`, stored and to come, as server-sent events: the position is the id, so that a
 * reader that was cut off goes on after the last one it saw, without a gap or a duplicate. A slow reader
 * costs one buffer and one batch. Ends when the reader leaves or may not read any more, and on `stopping`.
 */
export function eventStream({ log, after, mayRead, toLine: lineOf, heartbeat, stopping }: EventStreamParts): Readable {
  let over = false;
  let roomMade: (() => void) | undefined;
  const makeRoom = (): void => roomMade?.();

  const stream = new Readable({
    highWaterMark: BUFFER_BYTES,
    read: makeRoom,
    destroy(error, done) {
      end();
      stopBeating();
      done(error);
    },
  });
  stream.push(`retry: ${RECONNECT_MILLISECONDS}\n\n`);

  const subscription = log.subscribe(after, async (events) => {
    for (const chunk of toChunks(events, (event) => `id: ${event.position}\ndata: ${lineOf(event)}\n\n`)) {
      if (!over && !mayRead()) end();
      if (over) return;
      if (!stream.push(chunk)) await new Promise<void>((resolve) => (roomMade = resolve));
    }
  });
  subscription.ended.then(end, (error: Error) => stream.destroy(error));

  const stopBeating = heartbeat(() => {
    if (over) stream.destroy(); // who has not read the rest since the last beat does not read at all
    else if (!mayRead()) end();
    else if (stream.readableLength === 0) stream.push(':\n\n');
  });

  stopping.addEventListener('abort', end);
  if (stopping.aborted) end();
  return stream;

  function end(): void {
    if (over) return;
    over = true;
    stopping.removeEventListener('abort', end);
    if (!stream.destroyed) stream.push(null);
    makeRoom();
    void subscription.close();
  }
}
