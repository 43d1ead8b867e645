/**
 * The one interface between Grantlog and whatever keeps its events.
 *
 * Vocabulary: an append adds events to a stream at an expected revision; every event also has a
 * position in the order of the whole log. Both are values of the engine: callers keep them, compare
 * them for equality or order and hand them back, and never compute with them.
 */

import type { LogArchive } from './log-archive.ts';

declare const revision: unique symbol;
declare const position: unique symbol;

/** Where an event stands in its own stream. Made by engines only. */
export type Revision = number & { readonly [revision]: true };

/** Where an event stands in the whole log; gap-free and increasing. Made by engines only. */
export type Position = number & { readonly [position]: true };

/** Before the first event: read or subscribe from here to see everything. */
export const START: Position = 0 as Position;

export type StreamName = string;

/** Where a stream stands; 'no-stream' when it is empty. */
export type StreamRevision = Revision | 'no-stream';

/**
 * The revision a decision was made on. 'new-stream': the caller has just made the stream's name of 128 random bits, so that
 * nobody can have written there. An engine takes that for granted where it would have to look it up, and costs the more the
 * longer the log: with a million streams a third of what a token request did. It refuses where it knows better without.
 */
export type ExpectedRevision = StreamRevision | 'new-stream';

/** Whether an append at `expected` may go to a stream that stands at `actual`. */
export function isExpected(actual: StreamRevision, expected: ExpectedRevision): boolean {
  return actual === (expected === 'new-stream' ? 'no-stream' : expected);
}

/**
 * Whether a stream that ends at `head` is worth keeping at hand before somebody asks for it. A stream of a single event is not:
 * nearly all are tokens of client credentials, which nobody appends to again, and what they held up would be copied by the
 * garbage collector again and again.
 */
export function isWorthCaching(head: Revision): boolean {
  return head > 1;
}

/** Who caused an event: a user's or client's id, the command line, or the server itself. */
export type Actor =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'client'; readonly id: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'server' };

/** What a writer hands over: all of the envelope but what the engine assigns. */
export interface EventToAppend {
  readonly type: string;
  /** Version of the schema that `data` follows; older ones are upcast when read. */
  readonly version: number;
  /** Milliseconds since the epoch, by the writer's clock. Data, never an order. */
  readonly recordedAt: number;
  readonly actor: Actor;
  /** The request that caused the event, or null outside of one. */
  readonly requestId: string | null;
  /** The caller's place in a trace (W3C Trace Context), where the request said one: 55 characters. */
  readonly traceparent?: string;
  readonly data: unknown;
}

export interface RecordedEvent extends EventToAppend {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
  /** The exact stored text of the event; its UTF-8 bytes are what is hashed and exported. */
  readonly record: string;
}

/** Another stream that a decision was based on, and where it stood when it was read. */
export interface ObservedRevision {
  readonly stream: StreamName;
  readonly revision: Revision;
}

/** Where an append ended up. */
export interface AppendResult {
  /** The stream's new head: what the next append to it expects. */
  readonly revision: Revision;
  /** The position of the last event appended. */
  readonly position: Position;
}

/** Where an event stands in its stream and in the log: reading a stream can begin there. */
export type EventLocation = Pick<RecordedEvent, 'revision' | 'position'>;

export interface Subscription {
  /** Resolves when the subscription has ended; rejects when its handler or the engine failed. */
  readonly ended: Promise<void>;
  /** Ends the subscription once the batch being handled is done. */
  close(): Promise<void>;
}

export interface EventLog {
  /**
   * Appends `events` (at least one) to `stream` as one atomic write, next to each other in the order
   * of the log; resolves after they are durable and handed to the live listener, never before.
   * @param basedOn other streams that must still stand where they were read: decisions that depend on several streams
   *   are as exact as those that depend on one
   * @throws WrongExpectedRevision another writer came first; nothing was written. Thrown only once
   *   that other write is durable, so that reading the stream again shows it.
   * @throws DecisionOutdated one of `basedOn` has moved on; nothing was written. Thrown only once that other write was
   *   handed to the live listener, so that projections show it.
   * @throws LogUnavailable the log is closed or failed; whether the events of an append in flight
   *   at that moment are stored is known only after a replay
   */
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
    basedOn?: readonly ObservedRevision[],
  ): Promise<AppendResult>;

  /**
   * The events of one stream in order, from the one at `from` or from the first, in pages that each take little time: a
   * stream can be of any length. Ends where the stream ended when reading began; at once if nobody wrote to it.
   */
  readStream(stream: StreamName, from?: EventLocation): AsyncIterable<readonly RecordedEvent[]>;

  /**
   * The same events newest first, from the one at `from` or from the last. The revision of the very first event read
   * without `from` is the one to expect when appending. Reading that stops early has read one page too much at most.
   */
  readStreamBackwards(stream: StreamName, from?: EventLocation): AsyncIterable<readonly RecordedEvent[]>;

  /**
   * Every event after `after`, in order, in batches; ends at the head as it was when reading began.
   * @param most about the largest number of events in a batch
   */
  readAll(after: Position, most?: number): AsyncIterable<readonly RecordedEvent[]>;

  /**
   * The event at `from` and every one before it, newest first, in batches that each take little time; from
   * the head as it is when reading begins if `from` is beyond it. Whoever stops early has read little more.
   */
  readBackwards(from: Position): AsyncIterable<readonly RecordedEvent[]>;

  /**
   * Hands every event after `after` to `handle` in order, batch by batch, without a gap or a
   * duplicate: first those stored, then each new one as it becomes durable. A batch is handed over
   * after the handler has finished the one before; a slow handler costs no memory.
   */
  subscribe(after: Position, handle: (events: readonly RecordedEvent[]) => void | Promise<void>): Subscription;

  /**
   * Sets the one listener that is called synchronously with each durable batch, in order, before
   * its appends are answered. What it throws fails the log: projections must never lag silently.
   */
  onAppended(listener: (events: readonly RecordedEvent[]) => void): void;

  /** The position of the newest durable event; START when there is none. */
  head(): Position;

  /** Where old stretches are moved to; undefined for an engine that cannot. */
  readonly archive?: LogArchive;

  /** Resolves with the cause when the log has failed and takes no more appends; pending till then. */
  readonly failed: Promise<Error>;

  /**
   * Reads every file in which the engine keeps the log, and yields the damages.
   * @param pace awaited after each piece of work, so that a caller can slow it down
   */
  checkFiles?(signal: AbortSignal, pace?: () => Promise<void>): AsyncGenerator<LogDamaged, void, void>;

  /**
   * For an engine that finds streams by an index beside the records: compares the two and yields the differences.
   * @param pace awaited after each piece of work, so that a caller can slow it down
   */
  checkIndex?(signal: AbortSignal, pace?: () => Promise<void>): AsyncGenerator<LogDamaged, void, void>;

  /** Finishes the writes in flight and releases the storage. Idempotent. */
  close(): Promise<void>;
}

/** Another writer moved the stream on: read it again, decide again. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(stream: StreamName, expected: ExpectedRevision, actual: StreamRevision) {
    super(`stream ${stream} is at revision ${actual}, not at ${expected}`);
  }
}

/** What a decision was based on has changed since it was read: read again, and decide again. */
export class DecisionOutdated extends Error {
  override readonly name = 'DecisionOutdated';

  /** @param moved the stream that has moved on; null where it was no stream */
  constructor(moved: StreamName | null) {
    super(`${moved === null ? 'what the decision was based on' : `stream ${moved}`} has changed since it was read`);
  }
}

/** The log takes no appends: it was closed, or a write failed and only a replay can tell what is stored. */
export class LogUnavailable extends Error {
  override readonly name: string = 'LogUnavailable';
}

/** What is stored is not what was appended: an event is missing or cannot be read. Nothing after it is handed out. */
export class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
  readonly position: Position;
  constructor(at: Position, finding: string, options?: ErrorOptions) {
    super(
      `the log is damaged at position ${at}: ${finding}. Stop the server, keep its data directory as it is, ` +
        'and restore the newest backup that verifies.',
      options,
    );
    this.position = at;
  }
}

/**
 * The last write did not reach the disk whole. Nothing shows that it was acknowledged: no later write follows it, and
 * every event that is known to have been acknowledged is there.
 */
export class LastWriteIncomplete extends LogDamaged {
  constructor(at: Position, finding: string) {
    super(at, finding);
    const until = `every event up to position ${at - 1} is there, and none after it is known to have been acknowledged`;
    this.message = `${finding}; ${until}. ${INCOMPLETE_WRITE_ADVICE}`;
  }
}

/** How an operator can tell an interrupted write from a damaged disk, and what to do. */
export const INCOMPLETE_WRITE_ADVICE =
  'If the machine failed during that write, nothing is lost: grantlog log repair --accept-loss removes it. If it did ' +
  'not fail, the disk damaged the file: keep the data directory as it is, and restore the newest backup that verifies ' +
  '(grantlog restore FILE DIR)';
