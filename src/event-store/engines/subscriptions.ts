import type { EventLog, Position, RecordedEvent, Subscription } from '../event-log.ts';

/** The active subscriptions of one log. */
export interface Subscriptions {
  readonly subscribe: EventLog['subscribe'];
  /** Tells waiting subscribers that the head has moved. */
  wake(): void;
  /** Makes every subscription read up to the head and then reject with `cause`. */
  fail(cause: Error): void;
  /** Ends every subscription after its current batch. */
  close(): Promise<void>;
}

/**
 * Creates subscriptions for any engine that can read from a position. A slow subscriber reads from storage again
 * instead of filling a queue, so it costs at most one batch of memory.
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
        await change.next(); // no await since the check of the head, so no wake-up is lost
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
        await ended.catch(() => undefined); // reported through `ended`
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

/** Creates a signal: `notify` wakes all current waiters. */
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
