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
  let unavailable: LogUnavailable | undefined;
  let closed = false;
  let listener: ((appended: readonly RecordedEvent[]) => void) | undefined;

  const revisionOf = (stream: StreamName): StreamRevision => streams.get(stream)?.at(-1)?.revision ?? 'no-stream';
  const durableEventsOf = (stream: StreamName): readonly RecordedEvent[] =>
    (streams.get(stream) ?? []).filter(({ position }) => position <= head);
  const subscriptions = createSubscriptions({ readAll, head: () => head });

  /** All events are recorded before any is admitted, because recording can throw. */
  function admit(appends: readonly StreamAppend[]): readonly RecordedEvent[] {
    const recorded: RecordedEvent[] = [];
    for (const { stream, events: toAppend = [] } of appends) {
      const [revision, position] = [streams.get(stream)?.length ?? 0, events.length + recorded.length];
      const record = (event: EventToAppend, index: number): RecordedEvent =>
        recordEvent(stream, (revision + index + 1) as Revision, (position + index + 1) as Position, event);
      recorded.push(...toAppend.map(record));
    }
    events.push(...recorded);
    for (const event of recorded) streams.set(event.stream, (streams.get(event.stream) ?? []).concat(event));
    return recorded;
  }

  function fail(cause: unknown): LogUnavailable {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    unavailable = new LogUnavailable('the log has failed', { cause: error });
    reportFailure(error);
    subscriptions.fail(unavailable);
    return unavailable;
  }

  function announce(appended: readonly RecordedEvent[], position: Position): void {
    head = position;
    try {
      listener?.(appended);
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
    onAppended(appended) {
      listener = appended;
    },

    async append(stream, expected, toAppend, basedOn = []) {
      if (toAppend.length === 0) throw new RangeError('an append needs at least one event');
      if (unavailable !== undefined) throw unavailable;
      if (closed) throw new LogUnavailable('the log is closed');
      const actual = revisionOf(stream);
      const changed = basedOn.find((read) => revisionOf(read.stream) !== read.revision);
      const isAdmitted = changed === undefined && isExpected(actual, expected);
      const appended = isAdmitted ? admit([{ stream, events: toAppend }, ...basedOn]) : [];
      await Promise.resolve(); // durable from here on, in order: a losing append waits for the winning one
      if (unavailable !== undefined) throw unavailable;
      if (changed !== undefined) throw new DecisionOutdated(changed.stream);
      const last = appended.at(-1);
      if (last === undefined) throw new WrongExpectedRevision(stream, expected, actual);
      announce(appended, last.position);
      return { revision: appended[toAppend.length - 1]?.revision ?? last.revision, position: last.position };
    },

    async *readStream(stream, from) {
      const durable = durableEventsOf(stream);
      for (let next = (from?.revision ?? 1) - 1; next < durable.length; next += PAGE_EVENTS) {
        yield durable.slice(next, next + PAGE_EVENTS);
      }
    },

    async *readStreamBackwards(stream, from) {
      const durable = durableEventsOf(stream);
      for (let end: number = from?.revision ?? durable.length; end > 0; end -= PAGE_EVENTS) {
        yield durable.slice(Math.max(0, end - PAGE_EVENTS), end).toReversed();
      }
    },

    async close() {
      closed = true;
      await Promise.resolve(); // earlier appends resolve first
      await subscriptions.close();
    },
  };
}
