import type { EventLog, Position, RecordedEvent, Subscription } from '../event-log.ts';

/** The live subscriptions of one log. */
export interface Subscriptions {
  readonly subscribe: EventLog['subscribe'];
  /** The head has moved: whoever waits reads on. */
  wake(): void;
  /** No more events will come: every subscription reads up to the head and then rejects with `cause`. */
  fail(cause: Error): void;
  /** Ends every subscription once the batch it is handling is done. */
  close(): Promise<void>;
}

/**
 * Subscriptions over any engine that can read from a position. A subscriber that is behind reads from
 * storage again instead of being queued for, so that the slowest one costs no more memory than a batch.
 */
export function createSubscriptions({ readAll, head }: Pick<EventLog, 'readAll' | 'head'>): Subscriptions {
  const open = new Set<Subscription>();
  const change = createSignal();
  let failure: Error | undefined;
  let closed = false;

  function subscribe(
    after: Position,
    handle: (events: readonly RecordedEvent[]) => void | Promise<void>,
  ): Subscription {
    let last = after;
    let stopped = closed;

    async function follow(): Promise<void> {
      for (;;) {
        if (stopped) return;
        if (head() > last) {
          await catchUp();
          continue;
        }
        if (failure !== undefined) throw failure;
        await change.next(); // nothing was awaited since the look at the head: no wake-up is lost
      }
    }

    async function catchUp(): Promise<void> {
      for await (const events of readAll(last)) {
        if (stopped) return;
        await handle(events);
        last = events.at(-1)?.position ?? last;
        if (stopped) return;
      }
    }

    const ended = follow().finally(() => open.delete(subscription));
    const subscription: Subscription = {
      ended,
      async close() {
        stopped = true;
        change.notify();
        await ended.catch(() => undefined); // a failure is for those who watch `ended`
      },
    };
    open.add(subscription);
    return subscription;
  }

  return {
    subscribe,
    wake: change.notify,
    fail(cause) {
      failure = cause;
      change.notify();
    },
    async close() {
      closed = true;
      await Promise.all([...open].map((subscription) => subscription.close()));
    },
  };
}

/** Wakes all who wait at the moment; costs nothing while nobody does. */
function createSignal(): { readonly next: () => Promise<void>; readonly notify: () => void } {
  let waiting: (() => void)[] = [];
  return {
    next: () => new Promise((resolve) => waiting.push(resolve)),
    notify() {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}
