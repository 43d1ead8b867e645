import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { EventLog, Position, RecordedEvent } from '../event-store/event-log.ts';

type Batch = readonly RecordedEvent[];

/**
 * Yields every event after `after`, stored or future, until `signal` aborts. Backpressure reaches the log's
 * subscription.
 * @throws Error if the log failed
 */
export async function* followLog(
  log: Pick<EventLog, 'subscribe'>,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, void> {
  const batches = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const stopController = new AbortController();
  const stop = (): void => {
    stopController.abort();
    batches.end();
  };

  const subscription = log.subscribe(after, async (events) => {
    if (stopController.signal.aborted || batches.write(events)) return;
    // The wait can be aborted. Otherwise `close` would wait for a reader that has left.
    await once(batches, 'drain', { signal: stopController.signal }).catch(stop);
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
