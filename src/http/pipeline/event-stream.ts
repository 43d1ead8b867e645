import { Readable } from 'node:stream';
import type { EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';

/** Calls `tick` periodically until the returned function is called. */
export type Heartbeat = (tick: () => void) => () => void;

/** Some proxies drop a connection that is silent for 30 seconds. */
const HEARTBEAT_MILLISECONDS = 15_000;

export const every15Seconds: Heartbeat = (tick) => {
  const timer = setInterval(tick, HEARTBEAT_MILLISECONDS);
  return () => clearInterval(timer);
};

export interface EventStreamDeps {
  readonly log: Pick<EventLog, 'subscribe'>;
  readonly after: Position;
  /** Called before every chunk and at every heartbeat. When this function returns false, the stream ends. */
  readonly mayRead: () => boolean;
  /** Formats an event as a line of JSON. */
  readonly toLine: (event: RecordedEvent) => string;
  readonly heartbeat: Heartbeat;
  readonly stopping: AbortSignal;
}

/** The number of bytes that are buffered for a reader. The next batch stays in storage until the buffer has room. */
const BUFFER_BYTES = 65_536;
/** In characters. A chunk contains many events, because one system call per event would dominate the catch-up time. */
const CHUNK_LENGTH = 16_384;
const RECONNECT_MILLISECONDS = 1_000;

/** Yields the formatted events in chunks. An event is never split. */
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
 * Returns a stream of all stored and future events after `after`, as server-sent events. The id of each event is its
 * position, so a reader that reconnects continues without a gap or a duplicate. A slow reader occupies the memory of
 * only one buffer and one batch. The stream ends when the reader disconnects or loses its permission, or when
 * `stopping` is aborted.
 */
export function createEventStream({ log, after, mayRead, toLine, heartbeat, stopping }: EventStreamDeps): Readable {
  let hasEnded = false;
  let resumeWriting: (() => void) | undefined;
  const resumeIfWaiting = (): void => resumeWriting?.();

  const stream = new Readable({
    highWaterMark: BUFFER_BYTES,
    read: resumeIfWaiting,
    destroy(error, done) {
      end();
      stopHeartbeat();
      done(error);
    },
  });
  stream.push(`retry: ${RECONNECT_MILLISECONDS}\n\n`);

  const subscription = log.subscribe(after, async (events) => {
    for (const chunk of toChunks(events, (event) => `id: ${event.position}\ndata: ${toLine(event)}\n\n`)) {
      if (!hasEnded && !mayRead()) end();
      if (hasEnded) return;
      if (!stream.push(chunk)) await new Promise<void>((resolve) => (resumeWriting = resolve));
    }
  });
  subscription.ended.then(end, (error: Error) => stream.destroy(error));

  const stopHeartbeat = heartbeat(() => {
    if (hasEnded) stream.destroy(); // the reader has not read the rest of the buffer since the stream ended
    else if (!mayRead()) end();
    else if (stream.readableLength === 0) stream.push(':\n\n');
  });

  stopping.addEventListener('abort', end);
  if (stopping.aborted) end();
  return stream;

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    stopping.removeEventListener('abort', end);
    if (!stream.destroyed) stream.push(null);
    resumeIfWaiting();
    void subscription.close();
  }
}
