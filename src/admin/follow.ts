import type { EventLog, Position, RecordedEvent } from '../eventsourcing/event-log.ts';

type Batch = readonly RecordedEvent[];

/**
 * Every event after `after`, stored and to come, until `signal` aborts. The log hands over the next
 * batch only when the one before was taken.
 * @throws Error the log failed
 */
export async function* followLog(log: Pick<EventLog, 'subscribe'>, after: Position, signal: AbortSignal): AsyncGenerator<Batch, void, void> {
  const hand = createHandOver();
  const subscription = log.subscribe(after, hand.give);
  subscription.ended.then(hand.end, hand.fail);
  signal.addEventListener('abort', hand.end, { once: true });
  if (signal.aborted) hand.end();
  try {
    for (let batch = await hand.take(); batch !== undefined; batch = await hand.take()) yield batch;
  } finally {
    signal.removeEventListener('abort', hand.end);
    hand.end(); // lets go of a batch that waits, or closing would wait for it
    await subscription.close();
  }
}

/** One giver, one taker, nothing in between: giving resolves once what was given is done with. */
function createHandOver() {
  let offered: { readonly batch: Batch; readonly taken: () => void } | undefined;
  let waiting: (() => void) | undefined;
  let outcome: { readonly error?: unknown } | undefined;
  let done = (): void => {};

  const wake = (): void => {
    waiting?.();
    waiting = undefined;
  };
  const finish = (result: { readonly error?: unknown }): void => {
    outcome ??= result;
    offered?.taken();
    done();
    wake();
  };

  return {
    give: (batch: Batch): Promise<void> =>
      new Promise((resolve) => {
        if (outcome !== undefined) return resolve();
        offered = { batch, taken: resolve };
        wake();
      }),
    /** Takes the next batch, which also says that the one before is done with; undefined at the end. */
    async take(): Promise<Batch | undefined> {
      done();
      while (offered === undefined && outcome === undefined) {
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      }
      if (outcome?.error !== undefined) throw outcome.error;
      if (offered === undefined || outcome !== undefined) return undefined;
      const { batch, taken } = offered;
      offered = undefined;
      done = taken;
      return batch;
    },
    end: (): void => finish({}),
    fail: (error: unknown): void => finish({ error }),
  };
}
