import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { createSubscriptions } from '../../src/event-store/engines/subscriptions.ts';
import { DecisionOutdated, LogUnavailable, START } from '../../src/event-store/event-log.ts';
import type { EventLog, EventToAppend, Position, RecordedEvent } from '../../src/event-store/event-log.ts';
import { LogUnreachable } from '../../src/event-store/log-unreachable.ts';
import type { Broadcast } from '../../src/platform/broadcast/broadcast.ts';
import type { SharedLog } from '../../src/event-store/shared-log.ts';

/** One node's view of a shared log. The node cannot see other nodes' events until the test delivers them. */
export interface LogView extends EventLog {
  readonly shared: SharedLog;
  /** Delivers all events to the node, or those up to `position`. */
  deliver(position?: Position): void;
  /** Returns the events that have not been delivered to the node yet. */
  pending(): readonly RecordedEvent[];
  /** Cuts the node off from the storage in both directions. */
  disconnect(): void;
  reconnect(): void;
  /** Returns how often the node has called `catchUp`. */
  catchUpCount(): number;
}

/** An in-memory storage that several nodes append to. */
export interface SharedMemoryLog {
  /** Attaches a new node. * @param ticks the node's monotonic clock, in milliseconds
   * @param clockOffset how far the storage's clock is ahead of the node's, in milliseconds
   */
  attach(ticks: () => number, clockOffset?: () => number, broadcast?: Broadcast): LogView;
  /** Appends an event like a node with a later release would. */
  appendFromLaterRelease(event: EventToAppend): Promise<void>;
  /** Declares which release writes events of this type and version. */
  declareRelease(type: string, version: number, release: string): void;
}

const BATCH_EVENTS = 1000;

export function sharedMemoryLog(): SharedMemoryLog {
  const storage = createMemoryLog();
  const events: RecordedEvent[] = [];
  const releases = new Map<string, string>();
  const beforeGrowth = new Set<() => void>();
  const nodes: { readonly isCurrent: (position: number, silentSeconds: number) => boolean }[] = [];
  storage.onAppended((newEvents) => {
    for (const notify of beforeGrowth) notify();
    events.push(...newEvents);
  });

  function attach(ticks: () => number, clockOffset = (): number => 0, broadcast?: Broadcast): LogView {
    let reportFailure: (cause: Error) => void;
    const failure = new Promise<Error>((resolve) => (reportFailure = resolve));
    const inFlight = new Set<Promise<unknown>>();
    let listener: ((newEvents: readonly RecordedEvent[]) => void) | undefined;
    let unavailable: LogUnavailable | undefined;
    let [isClosed, isConnected, catchUps] = [false, true, 0];
    let head = events.at(-1)?.position ?? START;
    let lastCurrentAt = ticks();
    const subscriptions = createSubscriptions({ readAll, head: () => head });
    beforeGrowth.add(renew);
    nodes.push({
      isCurrent: (position, silentSeconds) =>
        head >= position || isClosed || (!isConnected && ticks() - lastCurrentAt > silentSeconds * 1000),
    });

    /**
     * Returns when the node was last current. A real log checks that several times a second; this one at every call.
     */
    function renew(): number {
      if (isConnected && head === events.length) lastCurrentAt = ticks();
      return lastCurrentAt;
    }

    function deliver(upTo: Position): void {
      if (!isConnected || unavailable !== undefined) return;
      const batch = events.slice(head, upTo);
      if (batch.length === 0) return;
      head = upTo;
      try {
        listener?.(batch);
      } catch (cause) {
        throw fail(cause instanceof Error ? cause : new Error(String(cause)));
      }
      renew();
      subscriptions.wake();
    }

    function fail(cause: Error): LogUnavailable {
      unavailable = new LogUnavailable('the log has failed', { cause });
      reportFailure(cause);
      subscriptions.fail(unavailable);
      return unavailable;
    }

    function assertReachable(): void {
      if (unavailable !== undefined) throw unavailable;
      if (isClosed) throw new LogUnavailable('the log is closed');
      assertConnected();
    }

    function assertConnected(): void {
      if (!isConnected) throw new LogUnreachable('the storage is not responding');
    }

    async function* readAll(after: Position, maxEvents = BATCH_EVENTS): AsyncGenerator<readonly RecordedEvent[]> {
      const end = head;
      for (let from: number = after; from < end; from += maxEvents)
        yield events.slice(from, Math.min(from + maxEvents, end));
    }

    async function* readBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]> {
      for (let end: number = Math.min(from, head); end > START; end -= BATCH_EVENTS)
        yield events.slice(Math.max(START, end - BATCH_EVENTS), end).toReversed();
    }

    async function append(...[stream, expected, toAppend, basedOn]: Parameters<EventLog['append']>) {
      assertReachable();
      try {
        const result = await storage.append(stream, expected, toAppend, basedOn);
        if (unavailable !== undefined) throw unavailable;
        deliver(result.position);
        return result;
      } catch (error) {
        if (error instanceof DecisionOutdated) deliver(storage.head());
        throw error;
      }
    }

    return {
      failed: failure,
      head: () => head,
      readAll,
      readBackwards,
      subscribe: subscriptions.subscribe,
      onAppended: (newListener) => void (listener = newListener),
      deliver: (position = storage.head()) => deliver(position),
      pending: () => events.slice(head),
      disconnect() {
        renew();
        isConnected = false;
      },
      reconnect: () => void (isConnected = true),
      catchUpCount: () => catchUps,

      append(...args) {
        const pendingAppend = append(...args).finally(() => inFlight.delete(pendingAppend));
        inFlight.add(pendingAppend);
        return pendingAppend;
      },

      async *readStream(stream, from) {
        assertConnected();
        yield* storage.readStream(stream, from);
      },

      async *readStreamBackwards(stream, from) {
        assertConnected();
        yield* storage.readStreamBackwards(stream, from);
      },

      shared: {
        async catchUp() {
          catchUps += 1;
          assertReachable();
          const targetHead = storage.head();
          await Promise.resolve();
          deliver(targetHead);
        },
        lastCurrentAt: renew,
        clockOffset,
        counts: () => ({ reconnects: 0, unknownOutcomes: 0, missingEvents: 0 }),
        isAppliedByAll: async (position, silentSeconds) =>
          nodes.every((node) => node.isCurrent(position, silentSeconds)),
        releaseOf: async (type, version) => releases.get(`${type} ${version}`),
        ...(broadcast && { broadcast }),
      },

      async close() {
        isClosed = true;
        await Promise.allSettled(inFlight);
        await subscriptions.close();
      },
    };
  }

  return {
    attach,
    async appendFromLaterRelease(event) {
      await storage.append(`later-${storage.head()}`, 'no-stream', [event]);
    },
    declareRelease: (type, version, release) => void releases.set(`${type} ${version}`, release),
  };
}
