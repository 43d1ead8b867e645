import type { SharedLog } from './shared-log.ts';

/**
 * The interface between Grantlog and its event storage.
 *
 * An append adds events to a stream at an expected revision. Every event also has a position in the whole log. The
 * engine assigns both.
 */

declare const revision: unique symbol;
declare const position: unique symbol;

/** The number of an event in its stream, without gaps. Only engines assign revisions. */
export type Revision = number & { readonly [revision]: true };
/** The number of an event in the whole log, without gaps. Only engines assign positions. */
export type Position = number & { readonly [position]: true };

/** The position before the first event. Reading from here returns everything. */
export const START: Position = 0 as Position;

export type StreamName = string;

/** The revision of a stream's last event, or 'no-stream' if the stream is empty. */
export type StreamRevision = Revision | 'no-stream';

/**
 * The revision that a decision was based on. 'new-stream' means that the caller generated the stream's name from 128
 * random bits, so the engine may skip the lookup. An engine that knows of events in the stream refuses the append.
 */
export type ExpectedRevision = StreamRevision | 'new-stream';

/** Reports whether a stream at revision `actual` accepts an append at `expected`. */
export function isExpected(actual: StreamRevision, expected: ExpectedRevision): boolean {
  return actual === (expected === 'new-stream' ? 'no-stream' : expected);
}

/**
 * Reports whether to cache a stream that ends at revision `head` before it is read. Nearly all streams with a single
 * event are client credentials tokens, which get no further events, so caching them would only waste memory.
 */
export function isWorthCaching(head: number): boolean {
  return head > 1;
}

/** The party that caused an event: a user, a client, the operator, or the server itself. */
export type Actor =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'client'; readonly id: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'server' };

/** An event as the writer supplies it: the engine adds the other fields of the envelope. */
export interface EventToAppend {
  readonly type: string;
  /** The version of the schema of `data`. Older versions are upcast when they are read. */
  readonly version: number;
  /** Milliseconds since the epoch, according to the writer's clock. Never used to order events. */
  readonly recordedAt: number;
  readonly actor: Actor;
  /** The request that caused the event, or null if no request did. */
  readonly requestId: string | null;
  /** The caller's trace (W3C Trace Context), 55 characters, if the request had one. */
  readonly traceparent?: string;
  readonly data: unknown;
}

export interface RecordedEvent extends EventToAppend {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
  /** The exact stored text of the event. Its UTF-8 bytes are hashed and exported. */
  readonly record: string;
}

/** A stream that a decision read in addition to its own, and that stream's revision at that time. */
export interface ObservedRevision {
  readonly stream: StreamName;
  readonly revision: Revision;
  /** Events to append to this stream as well. Not for the decision's own stream, and only once for each stream. */
  readonly events?: readonly EventToAppend[];
}

/** The result of an append. */
export interface AppendResult {
  /** The stream's new revision, which the next append to it expects. */
  readonly revision: Revision;
  /** The position of the last appended event of all streams. */
  readonly position: Position;
}

/** The revision and position of the event that a stream is read from. */
export type EventLocation = Pick<RecordedEvent, 'revision' | 'position'>;

export interface Subscription {
  /** Resolves when the subscription has ended. Rejects if its handler or the engine failed. */
  readonly ended: Promise<void>;
  /** Ends the subscription after the current batch. */
  close(): Promise<void>;
}

export interface EventLog {
  /**
   * Appends `events` (at least one) to `stream` as one atomic write, with consecutive positions. Resolves after the
   * events are durable and the listener has received them, never before.
   * @param basedOn other streams that must not have changed since they were read, so that a decision can rely on
   *   several streams as if they were one. Their events are appended in the same write
   * @param onAdmitted called, if at all, when no later append can become durable without this one
   * @throws WrongExpectedRevision if another writer appended first; nothing was written. Thrown after the other write
   *   is durable, so that reading the stream shows it.
   * @throws DecisionOutdated if one of `basedOn` has changed; nothing was written. Thrown after the listener has
   *   received that change, so that projections show it.
   * @throws LogUnavailable if the log is closed or has failed. If this append was in flight, only a replay shows
   *   whether it was stored.
   */
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
    basedOn?: readonly ObservedRevision[],
    onAdmitted?: () => void,
  ): Promise<AppendResult>;

  /**
   * Reads the events of one stream in order, from `from` or from the first event, in small pages. Ends at the revision
   * that the stream had when reading began. Yields nothing if the stream is empty.
   */
  readStream(stream: StreamName, from?: EventLocation): AsyncIterable<readonly RecordedEvent[]>;

  /**
   * Reads the same events backwards, from `from` or from the last event. Without `from`, the first event has the
   * revision that the next append expects. A consumer that stops early reads at most one page too many.
   */
  readStreamBackwards(stream: StreamName, from?: EventLocation): AsyncIterable<readonly RecordedEvent[]>;

  /**
   * Reads every event after `after`, in order, in batches. Ends at the head as it was when reading began.
   * @param maxEvents the approximate maximum number of events in a batch
   */
  readAll(after: Position, maxEvents?: number): AsyncIterable<readonly RecordedEvent[]>;

  /** Reads the events up to `from`, or up to the head if that is earlier, newest first, in small batches. */
  readBackwards(from: Position): AsyncIterable<readonly RecordedEvent[]>;

  /**
   * Passes every event after `after` to `handle`, in order and in batches, without gaps or duplicates: first the stored
   * events, then each new event when it is durable. Waits for `handle` before the next batch, so a slow handler does
   * not use more memory.
   */
  subscribe(after: Position, handle: (events: readonly RecordedEvent[]) => void | Promise<void>): Subscription;

  /**
   * Sets the one listener that is called synchronously with each durable batch, in order, before its appends resolve.
   * If it throws, the log fails, because projections must never lag silently.
   */
  onAppended(listener: (events: readonly RecordedEvent[]) => void): void;

  /** Returns the position of the latest durable event, or START if the log is empty. */
  head(): Position;

  /** The archive for old events, or undefined if the engine has none. */
  readonly archive?: LogArchive;

  /** Present if other processes can also append to the log. */
  readonly shared?: SharedLog;

  /** Resolves with the cause when the log fails and accepts no more appends. */
  readonly failed: Promise<Error>;

  /**
   * Reads every file that the engine stores the log in, and yields the damage that it finds.
   * @param pace awaited after each piece of work, so that a caller can slow it down
   */
  checkFiles?(signal: AbortSignal, pace?: () => Promise<void>): AsyncGenerator<LogDamaged, void, void>;

  /**
   * Compares the engine's stream index, if it has one, with the records, and yields the differences.
   * @param pace awaited after each piece of work, so that a caller can slow it down
   */
  checkIndex?(signal: AbortSignal, pace?: () => Promise<void>): AsyncGenerator<LogDamaged, void, void>;

  /** Finishes the writes in flight and releases the storage. Idempotent. */
  close(): Promise<void>;
}

/** Moves old events out of a log's live storage into compressed files. Reading the log includes them. */
export interface LogArchive {
  /** Returns the position of the last archived event, or START if no event was archived. */
  end(): Position;
  /**
   * Archives the events before the first one that was recorded at `time` (milliseconds since the epoch) or later. An
   * engine that stores events in groups does not archive any event of the group that contains that first one. If
   * `signal` is aborted or the process ends, no event is lost or duplicated.
   * @throws LogDamaged if an event to be archived, or an earlier segment, is missing or damaged
   * @throws ArchivingRefused if another process is archiving, or this one lacks privileges or a shared directory
   */
  archiveBefore(time: number, options: ArchiveOptions): Promise<ArchiveResult>;
  /**
   * Compares every file with its seal and every index with its records, and yields the differences.
   * @param pace awaited after each piece of work, so that a caller can slow it down
   */
  check(signal: AbortSignal, pace?: () => Promise<void>): AsyncGenerator<LogDamaged, void, void>;
  /**
   * Checks that no segment is missing. Reads no contents.
   * @throws LogDamaged if a segment is missing
   */
  assertComplete(): void;
}

export interface ArchiveOptions {
  readonly signal: AbortSignal;
  /** Called after each step. If it throws, archiving stops there. */
  readonly progress: (step: ArchiveStep) => void;
}

export interface ArchiveStep {
  /**
   * `compressed`: the events up to `position` are compressed; `written`: the files have been read back correctly;
   * `sealed`: the segment is archived; `dropped`: the live storage no longer has them; `compacted`: the space is free.
   */
  readonly step: 'compressed' | 'written' | 'sealed' | 'dropped' | 'compacted';
  readonly position: Position;
}

export interface ArchiveResult {
  readonly events: number;
  /** The position of the last archived event, including earlier runs. */
  readonly end: Position;
  /** The names of the new record files, in order. */
  readonly files: readonly string[];
  /** The size of the archived events as UTF-8 text. */
  readonly textBytes: number;
  /** The size of the new files, including indexes. */
  readonly archivedBytes: number;
}

/** Archiving is not possible now. The message gives the reason and the remedy. */
export class ArchivingRefused extends Error {
  override readonly name = 'ArchivingRefused';
}

/** Another writer appended first. Read the stream again and decide again. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(stream: StreamName, expected: ExpectedRevision, actual: StreamRevision) {
    super(`stream ${stream} is at revision ${actual}, not at ${expected}`);
  }
}

/** Data that a decision was based on has changed since it was read. Read again and decide again. */
export class DecisionOutdated extends Error {
  override readonly name = 'DecisionOutdated';

  /** @param stream the stream that has changed, or null if other data has changed */
  constructor(stream: StreamName | null) {
    super(
      `${stream === null ? 'data that the decision was based on' : `stream ${stream}`} has changed since it was read`,
    );
  }
}

/** The log accepts no appends: it was closed, or a write failed and only a replay can show what is stored. */
export class LogUnavailable extends Error {
  override readonly name: string = 'LogUnavailable';
}

/**
 * The stored log differs from the appended events: an event is missing or unreadable. Events after it are not returned.
 */
export class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
  readonly position: Position;
  constructor(damagePosition: Position, finding: string, options?: ErrorOptions) {
    super(
      `the log is damaged at position ${damagePosition}: ${finding}. Stop the server, keep its data directory as it ` +
        'is, and restore the newest backup that verifies.',
      options,
    );
    this.position = damagePosition;
  }
}

/**
 * The last write did not reach the disk completely. Nothing shows that it was acknowledged: no later write follows it,
 * and no event that is known to have been acknowledged is missing.
 */
export class LastWriteIncomplete extends LogDamaged {
  constructor(damagePosition: Position, finding: string) {
    super(damagePosition, finding);
    const intactPart = `every event up to position ${damagePosition - 1} is intact`;
    const evidence = 'no later event is known to have been acknowledged';
    this.message = `${finding}; ${intactPart}, and ${evidence}. ${INCOMPLETE_WRITE_ADVICE}`;
  }
}

/** How an operator can distinguish an interrupted write from a damaged disk, and what to do. */
export const INCOMPLETE_WRITE_ADVICE =
  'If the machine failed during that write, nothing is lost: grantlog log repair --accept-loss removes it. If it did ' +
  'not fail, the disk damaged the file: keep the data directory as it is, and restore the newest backup that ' +
  'verifies (grantlog restore FILE DIR)';
