import { LogDamaged, START } from '../event-log.ts';
import type { StoredBytes } from '../shared-log.ts';
import type { EventLocation, Position, RecordedEvent, Revision, StreamName } from '../event-log.ts';
import type { Statement } from '../../platform/postgres/connect.ts';
import { decodeRecord } from '../record.ts';
import { storedName } from './append-statement.ts';
import { releaseQuery, type EventType } from './event-types.ts';
import type { ReadQueries } from './read-queries.ts';
import type { SharedArchive } from './shared-archive.ts';

/** Reads the log. Every read sees all durable events, including those that this node has not delivered yet. */
export interface Reader {
  /**
   * Reads the events after `after` up to `upTo`, in batches.
   * @throws LogDamaged if an event is missing or unreadable
   */
  readBetween(after: Position, upTo: Position, maxEvents?: number): AsyncGenerator<readonly RecordedEvent[]>;
  /**
   * Reads the events from `from` back to the first, in batches.
   * @throws LogDamaged if an event is missing or unreadable
   */
  readBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]>;
  readStream(stream: StreamName, from?: EventLocation): AsyncGenerator<readonly RecordedEvent[]>;
  readStreamBackwards(stream: StreamName, from?: EventLocation): AsyncGenerator<readonly RecordedEvent[]>;
  /** Returns the release that first declared an event type, or undefined if none has. */
  releaseOf(eventType: EventType): Promise<string | undefined>;
  /** See `SharedLog.isAppliedByAll`. */
  isAppliedByAll(position: Position, silentSeconds: number): Promise<boolean>;
  /** Returns the sizes of the tables of events and of snapshots, including their indexes, in bytes. */
  storedBytes(): Promise<StoredBytes>;
}

/** A stored event. */
export interface EventRow {
  readonly position: Position;
  readonly record: string;
}

interface StoredStreamRow extends EventRow {
  readonly revision: Revision;
}

/**
 * A row with a matching event, or the only row if no event matches. `newest` is the revision of the stream's last
 * event, or 0 if the stream is empty.
 */
type StreamRow = { readonly newest: number } & (StoredStreamRow | { readonly position: null });

interface StreamPage {
  readonly rows: readonly StoredStreamRow[];
  readonly newest: number;
}

type ReadableArchive = Pick<SharedArchive, 'end' | 'read' | 'readStream' | 'readStreamBackwards' | 'refresh'>;

const BATCH_EVENTS = 1_000;
/** Consumers that read backwards often stop after the first batch. */
const BACKWARDS_EVENTS = 256;
/** The number of events in a page of a stream. */
const PAGE_EVENTS = 64;

/** Reads the database and, for events that were removed from it, the archive. */
export function createReader(query: ReadQueries['query'], archive: ReadableArchive): Reader {
  async function* readBetween(
    after: Position,
    upTo: Position,
    maxEvents = BATCH_EVENTS,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let last: number = after;
    while (last < upTo) {
      const end = Math.min(archive.end(), upTo) as Position;
      const isArchived = last < end;
      const batchStart = last;
      for await (const events of isArchived
        ? archive.read((last + 1) as Position, end)
        : readStored(last, upTo, maxEvents)) {
        yield events;
        last = events.at(-1)?.position ?? last;
      }
      if (last > batchStart || last >= upTo) continue;
      if (!isArchived) await archive.refresh();
      if (last >= archive.end()) throw new LogDamaged((last + 1) as Position, MISSING_EVENT);
    }
  }

  /** Reads events from the database. Stops before missing ones, because the archive may contain them. */
  async function* readStored(
    after: number,
    upTo: Position,
    maxEvents: number,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    const limit = Math.min(BATCH_EVENTS, maxEvents);
    const fetchPage = (from: number): Promise<readonly EventRow[]> => {
      const rows = query<EventRow>(eventsAfterStatement(from, upTo, limit));
      rows.catch(() => {}); // it may fail before it is awaited, or may never be awaited
      return rows;
    };
    let lastPosition = after;
    let nextPage = lastPosition < upTo ? fetchPage(lastPosition) : undefined;
    while (nextPage !== undefined) {
      const rows = await nextPage;
      if (!follows(rows, lastPosition)) return;
      const events = decodeInOrder(rows, lastPosition);
      lastPosition += events.length;
      nextPage = lastPosition < upTo ? fetchPage(lastPosition) : undefined; // read while the consumer works on this one
      yield events;
    }
  }

  async function* readBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]> {
    for (let lastPosition: number = from; lastPosition > START; lastPosition -= BACKWARDS_EVENTS) {
      const start = Math.max(START, lastPosition - BACKWARDS_EVENTS) as Position;
      const events: RecordedEvent[] = [];
      for await (const batch of readBetween(start, lastPosition as Position, BACKWARDS_EVENTS)) events.push(...batch);
      yield events.toReversed();
    }
  }

  async function* readStream(stream: StreamName, from?: EventLocation): AsyncGenerator<readonly RecordedEvent[]> {
    let nextRevision: number = from?.revision ?? 1;
    let after: number = from === undefined ? START : from.position - 1;
    let end: number | undefined;

    function follow(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
      assertStream(events, stream, nextRevision, 1);
      nextRevision += events.length;
      after = events.at(-1)?.position ?? after;
      return events;
    }

    for (;;) {
      const limit = Math.min(PAGE_EVENTS, (end ?? Infinity) - nextRevision + 1);
      const { rows, newest } = await readPage(STREAM_FORWARDS, stream, nextRevision, limit);
      end ??= newest;
      if (nextRevision > end) return;
      const pageStart = nextRevision;
      if (rows[0]?.revision === nextRevision) {
        yield follow(decodeRows(rows));
      } else {
        await archive.refresh();
        for await (const events of archive.readStream(stream, after)) {
          const eventsInRange = events.filter(({ revision }) => revision <= (end ?? 0));
          if (eventsInRange.length > 0) yield follow(eventsInRange);
        }
      }
      if (nextRevision === pageStart) throw missingRevisionError(stream, nextRevision, after + 1);
    }
  }

  async function* readStreamBackwards(
    stream: StreamName,
    from?: EventLocation,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let next: number | undefined = from?.revision;
    let beforePosition: number = from === undefined ? Infinity : from.position + 1;

    function follow(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
      assertStream(events, stream, next ?? events[0]?.revision ?? 0, -1);
      next = (events.at(-1)?.revision ?? 1) - 1;
      beforePosition = events.at(-1)?.position ?? beforePosition;
      return events;
    }

    while (next !== 0) {
      const fromRevision = next ?? Number.MAX_SAFE_INTEGER;
      const { rows, newest } = await readPage(STREAM_BACKWARDS, stream, fromRevision, PAGE_EVENTS);
      if (rows.length > 0) {
        yield follow(decodeRows(rows));
        continue;
      }
      if (newest === 0 && next === undefined) return;
      await archive.refresh();
      for await (const events of archive.readStreamBackwards(stream, beforePosition)) yield follow(events);
      if (next !== 0) throw missingRevisionError(stream, fromRevision, beforePosition);
    }
  }

  async function readPage(statement: Statement, stream: StreamName, from: number, limit: number): Promise<StreamPage> {
    const streamRows = await query<StreamRow>({ ...statement, values: [storedName(stream), from, limit] });
    return { rows: streamRows.filter(isStored), newest: streamRows[0]?.newest ?? 0 };
  }

  return {
    readBetween,
    readBackwards,
    readStream,
    readStreamBackwards,
    releaseOf: async (eventType) => (await query<{ release: string }>(releaseQuery(eventType)))[0]?.release,
    isAppliedByAll: async (position, silentSeconds) =>
      (await query<{ applied: boolean }>({ ...APPLIED_BY_ALL, values: [position, silentSeconds] }))[0]?.applied ===
      true,
    storedBytes: async () => (await query<StoredBytes>(STORED_BYTES))[0] ?? { log: 0, snapshots: 0 },
  };
}

const APPLIED_BY_ALL = {
  name: 'applied-by-all',
  text: `select not exists (
      select from grantlog.nodes
      where position < $1 and seen_at > clock_timestamp() - make_interval(secs => $2)
    ) as applied`,
};

const STORED_BYTES: Statement = {
  name: 'stored-bytes',
  text: `select pg_total_relation_size('grantlog.events') as log,
    pg_total_relation_size('grantlog.snapshot_pieces') as snapshots`,
};

const MISSING_EVENT = 'the event is missing from the database';

/** Returns a query for at least one row, whose position is null if the database has none of the requested events. */
const streamPageQuery = (condition: string, order: string): string => `
  select h.newest, e.position, e.revision, e.record
  from (select coalesce(
      (select revision from grantlog.events where stream = $1 order by revision desc limit 1),
      (select revision from grantlog.archived_streams where stream_hash = grantlog.stream_hash($1)), 0) as newest) h
    left join lateral (
      select position, revision, record from grantlog.events where stream = $1 and ${condition}
      order by revision ${order} limit $3) e on true
  order by e.revision ${order}`;

const STREAM_FORWARDS: Statement = { name: 'stream-forwards', text: streamPageQuery('revision >= $2', 'asc') };

const STREAM_BACKWARDS: Statement = { name: 'stream-backwards', text: streamPageQuery('revision <= $2', 'desc') };

/** Returns the statement that reads events in the order of positions. */
export function eventsAfterStatement(after: number, upTo: number, limit: number): Statement {
  const text = `select position, record from grantlog.events
    where position > $1 and position <= $2 order by position limit $3`;
  return { name: 'events-after', text, values: [after, upTo, limit] };
}

/** Reports whether `rows` begin with the event after `after`. */
export const follows = (rows: readonly EventRow[], after: number): boolean => rows[0]?.position === after + 1;

/**
 * Decodes consecutive events.
 * @throws LogDamaged if the rows do not follow `after` without gaps, or one is not an event
 */
export function decodeInOrder(rows: readonly EventRow[], after: number): readonly RecordedEvent[] {
  return rows.map(({ position, record }, index) => {
    if (position !== after + index + 1) throw new LogDamaged((after + index + 1) as Position, MISSING_EVENT);
    return decodeRecord(record, position);
  });
}

const isStored = (row: StreamRow): row is StreamRow & StoredStreamRow => row.position !== null;

function decodeRows(rows: readonly StoredStreamRow[]): readonly RecordedEvent[] {
  return rows.map(({ position, revision, record }) => {
    const event = decodeRecord(record, position);
    if (event.revision !== revision) throw wrongIndexError(event);
    return event;
  });
}

function assertStream(events: readonly RecordedEvent[], stream: StreamName, first: number, step: 1 | -1): void {
  for (const [index, event] of events.entries())
    if (event.stream !== stream || event.revision !== first + index * step) throw wrongIndexError(event);
}

const wrongIndexError = ({ stream, position }: RecordedEvent): LogDamaged =>
  new LogDamaged(position, `the index of stream ${stream} does not match its events`);

const missingRevisionError = (stream: StreamName, revision: number, position: number): LogDamaged =>
  new LogDamaged(position as Position, `revision ${revision} of stream ${stream} is missing`);
