import { DecisionOutdated, isExpected, LogUnavailable, START, WrongExpectedRevision } from '../event-log.ts';
import type {
  EventLog,
  EventToAppend,
  ObservedRevision,
  Position,
  RecordedEvent,
  Revision,
  StreamName,
  StreamRevision,
} from '../event-log.ts';
import { recordEvent } from '../record.ts';
import { createSubscriptions } from './subscriptions.ts';

const BATCH_EVENTS = 1000;
/** The number of events in a page of a stream. */
const PAGE_EVENTS = 64;

type StreamAppend = Pick<ObservedRevision, 'stream' | 'events'>;

/**
 * Creates the reference engine, which stores everything in memory. An append is durable one microtask after the call.
 */
export function createMemoryLog(): EventLog {
  const events: RecordedEvent[] = []; // those after the head are not durable yet
  const streams = new Map<StreamName, RecordedEvent[]>();
  let reportFailure: (cause: Error) => void;
  const failed = new Promise<Error>((resolve) => (reportFailure = resolve));
  let head = START;
  let failure: LogUnavailable | undefined;
  let isClosed = false;
  let listener: ((appendedEvents: readonly RecordedEvent[]) => void) | undefined;

  const revisionOf = (stream: StreamName): StreamRevision => streams.get(stream)?.at(-1)?.revision ?? 'no-stream';
  const durableEventsOf = (stream: StreamName): readonly RecordedEvent[] =>
    (streams.get(stream) ?? []).filter(({ position }) => position <= head);
  const subscriptions = createSubscriptions({ readAll, head: () => head });

  /** All events are recorded before any is admitted, because recording can throw. */
  function admit(appends: readonly StreamAppend[]): readonly RecordedEvent[] {
    const recordedEvents: RecordedEvent[] = [];
    for (const { stream, events: eventsToAppend = [] } of appends) {
      const [revision, position] = [streams.get(stream)?.length ?? 0, events.length + recordedEvents.length];
      const record = (event: EventToAppend, index: number): RecordedEvent =>
        recordEvent(stream, (revision + index + 1) as Revision, (position + index + 1) as Position, event);
      recordedEvents.push(...eventsToAppend.map(record));
    }
    events.push(...recordedEvents);
    for (const event of recordedEvents) streams.set(event.stream, (streams.get(event.stream) ?? []).concat(event));
    return recordedEvents;
  }

  function fail(cause: unknown): LogUnavailable {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    failure = new LogUnavailable('the log has failed', { cause: error });
    reportFailure(error);
    subscriptions.fail(failure);
    return failure;
  }

  function deliver(appendedEvents: readonly RecordedEvent[], position: Position): void {
    head = position;
    try {
      listener?.(appendedEvents);
    } catch (cause) {
      throw fail(cause);
    }
    subscriptions.wake();
  }

  async function* readAll(after: Position): AsyncGenerator<readonly RecordedEvent[]> {
    const end = head;
    for (let from: number = after; from < end; from += BATCH_EVENTS)
      yield events.slice(from, Math.min(from + BATCH_EVENTS, end));
  }

  async function* readBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]> {
    for (let end: number = Math.min(from, head); end > START; end -= BATCH_EVENTS)
      yield events.slice(Math.max(START, end - BATCH_EVENTS), end).toReversed();
  }

  return {
    failed,
    head: () => head,
    readAll,
    readBackwards,
    subscribe: subscriptions.subscribe,
    onAppended(newListener) {
      listener = newListener;
    },

    async append(stream, expected, eventsToAppend, basedOn = []) {
      if (eventsToAppend.length === 0) throw new RangeError('an append needs at least one event');
      if (failure !== undefined) throw failure;
      if (isClosed) throw new LogUnavailable('the log is closed');
      const actualRevision = revisionOf(stream);
      const changedDependency = basedOn.find((dependency) => revisionOf(dependency.stream) !== dependency.revision);
      const isAdmitted = changedDependency === undefined && isExpected(actualRevision, expected);
      const appendedEvents = isAdmitted ? admit([{ stream, events: eventsToAppend }, ...basedOn]) : [];
      await Promise.resolve(); // durable from here on, in order: a losing append waits for the winning one
      if (failure !== undefined) throw failure;
      if (changedDependency !== undefined) throw new DecisionOutdated(changedDependency.stream);
      const lastEvent = appendedEvents.at(-1);
      if (lastEvent === undefined) throw new WrongExpectedRevision(stream, expected, actualRevision);
      deliver(appendedEvents, lastEvent.position);
      return {
        revision: appendedEvents[eventsToAppend.length - 1]?.revision ?? lastEvent.revision,
        position: lastEvent.position,
      };
    },

    async *readStream(stream, from) {
      const durableEvents = durableEventsOf(stream);
      for (let next = (from?.revision ?? 1) - 1; next < durableEvents.length; next += PAGE_EVENTS) {
        yield durableEvents.slice(next, next + PAGE_EVENTS);
      }
    },

    async *readStreamBackwards(stream, from) {
      const durableEvents = durableEventsOf(stream);
      for (let end: number = from?.revision ?? durableEvents.length; end > 0; end -= PAGE_EVENTS) {
        yield durableEvents.slice(Math.max(0, end - PAGE_EVENTS), end).toReversed();
      }
    },

    async close() {
      isClosed = true;
      await Promise.resolve(); // earlier appends resolve first
      await subscriptions.close();
    },
  };
}
