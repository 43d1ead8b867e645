import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { EventLog, Position, RecordedEvent } from '../event-store/event-log.ts';

type Batch = readonly RecordedEvent[];

/**
 * Every event after `after`, stored and to come, until `signal` aborts. The log hands over the next
 * batch only once there is room for it.
 * @throws Error the log failed
 */
export async function* followLog(
  log: Pick<EventLog, 'subscribe'>,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, void> {
  const batches = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const over = new AbortController();
  const stop = (): void => {
    over.abort();
    batches.end();
  };

  const subscription = log.subscribe(after, async (events) => {
    if (over.signal.aborted || batches.write(events)) return;
    await once(batches, 'drain', { signal: over.signal }).catch(stop); // or closing would wait for a reader who left
  });
  subscription.ended.then(stop, (error: Error) => batches.destroy(error));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const events of batches) yield events as Batch;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
    await subscription.close();
  }
}
