import { LogUnreachable } from '../log-unreachable.ts';
import { LogDamaged } from '../event-log.ts';
import type { LogUnavailable, Position, RecordedEvent } from '../event-log.ts';

/**
 * Delivers every durable event once, in the order of positions. This node's events come from its writer; other nodes'
 * events are fetched.
 */
export interface Feed {
  /** Returns the position of the last delivered event. */
  head(): Position;
  /** Returns the number of events that are known to be in the log but have not been delivered yet. */
  missingCount(): number;
  /** Takes durable events that this node has appended. */
  offer(events: readonly RecordedEvent[]): void;
  /**
   * Fetches the missing events up to `position`, which the log is known to reach. If the storage is not responding, the
   * next call tries again.
   */
  extend(position: Position): void;
  /**
   * Resolves when everything up to `position`, which the log is known to reach, has been delivered.
   * @throws LogUnreachable if `milliseconds` have passed
   * @throws LogUnavailable if the feed has failed or was closed
   */
  waitFor(position: Position, milliseconds: number): Promise<void>;
  /** Rejects every pending and later `waitFor`. No event is delivered after that. */
  fail(failure: LogUnavailable): void;
}

export interface FeedDeps {
  /** The position of the last event before the first one to deliver. */
  readonly from: Position;
  /** Fetches the events after `after` up to `upTo`, or only the first few of them. */
  readonly fetch: (after: Position, upTo: Position) => Promise<readonly RecordedEvent[]>;
  /** Called synchronously and in order. */
  readonly deliver: (events: readonly RecordedEvent[]) => void;
  /** Called with the first error other than `LogUnreachable`, such as damage in the log. It must call `fail`. */
  readonly onFailure: (cause: Error) => void;
}

interface Waiter {
  readonly position: Position;
  readonly resolve: () => void;
  readonly reject: (failure: LogUnavailable) => void;
}

export function createFeed({ from, fetch, deliver, onFailure }: FeedDeps): Feed {
  const ownEvents = new Map<number, RecordedEvent>();
  let head = from;
  let knownHead = from;
  let waiters: Waiter[] = [];
  let isPumping = false;
  let failure: LogUnavailable | undefined;

  function advance(events: readonly RecordedEvent[]): void {
    const lastEvent = events.at(-1);
    if (lastEvent === undefined) return;
    head = lastEvent.position;
    for (const { position } of events) ownEvents.delete(position);
    deliver(events);
    const reachedWaiters = waiters.filter(({ position }) => position <= head);
    if (reachedWaiters.length > 0) waiters = waiters.filter(({ position }) => position > head);
    for (const { resolve } of reachedWaiters) resolve();
  }

  function nextOwnEvents(): readonly RecordedEvent[] {
    const events: RecordedEvent[] = [];
    for (let nextPosition = head + 1; ; nextPosition += 1) {
      const event = ownEvents.get(nextPosition);
      if (event === undefined) return events;
      events.push(event);
    }
  }

  async function fetchMissing(): Promise<void> {
    const firstOwnPosition = ownEvents.size === 0 ? Infinity : Math.min(...ownEvents.keys());
    const events = await fetch(head, Math.min(knownHead, firstOwnPosition - 1) as Position);
    if (failure !== undefined) return; // the feed failed during the fetch
    for (const [index, { position }] of events.entries())
      if (position !== head + index + 1) throw new LogDamaged((head + index + 1) as Position, 'the event is missing');
    if (events.length === 0) throw new LogDamaged((head + 1) as Position, 'the event is missing');
    advance(events);
  }

  async function pump(): Promise<void> {
    isPumping = true;
    try {
      for (;;) {
        if (failure !== undefined) return;
        advance(nextOwnEvents());
        if (head >= knownHead) return;
        await fetchMissing();
      }
    } catch (error) {
      if (error instanceof LogUnreachable) return; // `extend` is called again after the next contact
      onFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      isPumping = false;
    }
  }

  return {
    head: () => head,
    missingCount: () => knownHead - head,
    offer(events) {
      for (const event of events) if (event.position > head) ownEvents.set(event.position, event);
      this.extend(events.at(-1)?.position ?? head);
    },
    extend(position) {
      if (position > knownHead) knownHead = position;
      if (head < knownHead && !isPumping) void pump();
    },
    waitFor(position, milliseconds) {
      if (failure !== undefined) return Promise.reject(failure);
      if (position <= head) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          position,
          resolve() {
            clearTimeout(timeout);
            resolve();
          },
          reject(cause) {
            clearTimeout(timeout);
            reject(cause);
          },
        };
        const timeout = setTimeout(() => {
          waiters = waiters.filter((candidate) => candidate !== waiter);
          reject(new LogUnreachable(`the log could not be read up to position ${position} in time`));
        }, milliseconds);
        waiters.push(waiter);
      });
    },
    fail(cause) {
      failure = cause;
      for (const { reject } of waiters.splice(0)) reject(cause);
    },
  };
}
