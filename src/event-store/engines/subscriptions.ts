import type { EventLog, Position, RecordedEvent, Subscription } from '../event-log.ts';

/** The active subscriptions of one log. */
export interface Subscriptions {
  readonly subscribe: EventLog['subscribe'];
  /** Wakes subscribers that are waiting for the head to move. */
  wake(): void;
  /** Makes every subscription read up to the head and then reject with `cause`. */
  fail(cause: Error): void;
  /** Ends every subscription after its current batch. */
  close(): Promise<void>;
}

/**
 * Creates subscriptions for any engine that can read from a position. A slow subscriber reads from storage again
 * instead of filling a queue, so it holds at most one batch in memory.
 */
export function createSubscriptions({ readAll, head }: Pick<EventLog, 'readAll' | 'head'>): Subscriptions {
  const openSubscriptions = new Set<Subscription>();
  const change = createSignal();
  let failure: Error | undefined;
  let isClosed = false;

  function subscribe(
    after: Position,
    handle: (events: readonly RecordedEvent[]) => void | Promise<void>,
  ): Subscription {
    let lastPosition = after;
    let isStopped = isClosed;

    async function follow(): Promise<void> {
      for (;;) {
        if (isStopped) return;
        if (head() > lastPosition) {
          await catchUp();
          continue;
        }
        if (failure !== undefined) throw failure;
        await change.next(); // nothing has been awaited since the head was checked, so no wake-up is lost
      }
    }

    async function catchUp(): Promise<void> {
      for await (const events of readAll(lastPosition)) {
        if (isStopped) return;
        await handle(events);
        lastPosition = events.at(-1)?.position ?? lastPosition;
        if (isStopped) return;
      }
    }

    const ended = follow().finally(() => openSubscriptions.delete(subscription));
    const subscription: Subscription = {
      ended,
      async close() {
        isStopped = true;
        change.notify();
        await ended.catch(() => undefined); // reported through `ended`
      },
    };
    openSubscriptions.add(subscription);
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
      isClosed = true;
      await Promise.all([...openSubscriptions].map((subscription) => subscription.close()));
    },
  };
}

/** Creates a signal: `notify` wakes all current waiters. */
function createSignal(): { readonly next: () => Promise<void>; readonly notify: () => void } {
  let waiters: (() => void)[] = [];
  return {
    next: () => new Promise((resolve) => waiters.push(resolve)),
    notify() {
      const currentWaiters = waiters;
      waiters = [];
      for (const wake of currentWaiters) wake();
    },
  };
}
