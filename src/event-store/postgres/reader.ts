import { LogUnreachable } from '../log-unreachable.ts';
import { LogDamaged, START } from '../event-log.ts';
import type { StoredBytes } from '../shared-log.ts';
import type { EventLocation, Position, RecordedEvent, Revision, StreamName } from '../event-log.ts';
import { isRefusal, type Connection, type Statement } from '../../platform/postgres/connect.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import { decodeRecord } from '../record.ts';
import { storedName } from './append-statement.ts';
import { releaseOf, type EventType } from './event-types.ts';
import { createLink, type Link } from './link.ts';

/** Reads the log. Every read sees all durable events, including those that this node has not announced yet. */
export interface Reader {
  /** The events after `after` up to `upTo`, in batches. @throws LogDamaged an event is missing or unreadable */
  readBetween(after: Position, upTo: Position, most?: number): AsyncGenerator<readonly RecordedEvent[]>;
  /** The events from `from` back to the first, in batches. @throws LogDamaged an event is missing or unreadable */
  readBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]>;
  readStream(stream: StreamName, from?: EventLocation): AsyncGenerator<readonly RecordedEvent[]>;
  readStreamBackwards(stream: StreamName, from?: EventLocation): AsyncGenerator<readonly RecordedEvent[]>;
  /** The release that first declared an event type; undefined if none has. */
  releaseOf(eventType: EventType): Promise<string | undefined>;
  /** The bytes of the tables with their indexes. */
  storedBytes(): Promise<StoredBytes>;
  close(): void;
}

/** A stored event. */
export interface EventRow {
  readonly position: Position;
  readonly record: string;
}

interface StreamRow extends EventRow {
  readonly revision: Revision;
  /** The revision of the stream's last event. */
  readonly last?: Revision;
}

const BATCH_EVENTS = 1_000;
/** Consumers that read backwards often stop after the first batch. */
const BACKWARDS_EVENTS = 256;
/** Per page of one stream. */
const PAGE_EVENTS = 64;

/** The number of connections that one node reads with. */
const CONNECTIONS = 4;
const MAX_WAITING_READS = 10_000;

/** A read whose connection fails is tried this often in total. Reading changes nothing, so that is safe. */
const MAX_ATTEMPTS = 3;

export function createReader(open: () => Promise<Connection>): Reader {
  const idle: Link[] = Array.from({ length: CONNECTIONS }, () => createLink(open));
  const all = [...idle];
  const turns = createSemaphore(CONNECTIONS, { maxWaiting: MAX_WAITING_READS });

  function query<Row extends object>(statement: Statement): Promise<readonly Row[]> {
    return turns.run(async () => {
      const link = idle.pop() as Link; // the semaphore has a permit for each
      try {
        return await queryOn<Row>(link, statement);
      } finally {
        idle.push(link);
      }
    });
  }

  async function* readBetween(
    after: Position,
    upTo: Position,
    most = BATCH_EVENTS,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    const limit = Math.min(BATCH_EVENTS, most);
    const page = (from: number): Promise<readonly EventRow[]> => {
      const rows = query<EventRow>(eventsAfter(from, upTo, limit));
      rows.catch(() => {}); // it can fail before the consumer asks for it, which may also be never
      return rows;
    };
    let last: number = after;
    let upcoming = last < upTo ? page(last) : undefined;
    while (upcoming !== undefined) {
      const rows = await upcoming;
      const events = decodeInOrder(rows, last);
      last += events.length;
      if (events.length === 0) throw new LogDamaged((last + 1) as Position, MISSING);
      upcoming = last < upTo ? page(last) : undefined; // read while the consumer works on this one
      yield events;
    }
  }

  async function* readBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]> {
    for (let last: number = from; last > START; last -= BACKWARDS_EVENTS) {
      const before = Math.max(START, last - BACKWARDS_EVENTS);
      const rows = await query<EventRow>(eventsAfter(before, last, BACKWARDS_EVENTS));
      const events = decodeInOrder(rows, before);
      if (events.length < last - before) throw new LogDamaged((before + events.length + 1) as Position, MISSING);
      yield events.toReversed();
    }
  }

  async function* readStream(stream: StreamName, from?: EventLocation): AsyncGenerator<readonly RecordedEvent[]> {
    let end: number | undefined;
    for (let next: number = from?.revision ?? 1; next <= (end ?? next);) {
      const limit = Math.min(PAGE_EVENTS, (end ?? Infinity) - next + 1);
      const rows = await query<StreamRow>({ ...STREAM_FORWARDS, values: [storedName(stream), next, limit] });
      const events = decodeStream(rows, stream, next, 1);
      if (events.length === 0) return;
      end ??= rows[0]?.last ?? 0;
      next += events.length;
      yield events;
    }
  }

  async function* readStreamBackwards(
    stream: StreamName,
    from?: EventLocation,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    for (let next: number = from?.revision ?? Number.MAX_SAFE_INTEGER; next > 0;) {
      const rows = await query<StreamRow>({ ...STREAM_BACKWARDS, values: [storedName(stream), next, PAGE_EVENTS] });
      const events = decodeStream(rows, stream, rows[0]?.revision ?? 0, -1);
      if (events.length === 0) return;
      yield events;
      next = (events.at(-1)?.revision ?? 1) - 1;
    }
  }

  return {
    readBetween,
    readBackwards,
    readStream,
    readStreamBackwards,
    releaseOf: async (eventType) => (await query<{ release: string }>(releaseOf(eventType)))[0]?.release,
    storedBytes: async () => (await query<StoredBytes>(STORED_BYTES))[0] ?? { log: 0, snapshots: 0 },
    close() {
      for (const link of all) link.close();
    },
  };
}

const STORED_BYTES: Statement = {
  name: 'stored-bytes',
  text: `select pg_total_relation_size('grantlog.events') as log,
    pg_total_relation_size('grantlog.snapshot_pieces') as snapshots`,
};

const MISSING = 'the event is missing from the database';

const STREAM_FORWARDS: Statement = {
  name: 'stream-forwards',
  text: `select position, revision, record,
      (select revision from grantlog.events where stream = $1 order by revision desc limit 1) as last
    from grantlog.events where stream = $1 and revision >= $2 order by revision limit $3`,
};

const STREAM_BACKWARDS: Statement = {
  name: 'stream-backwards',
  text: `select position, revision, record from grantlog.events
    where stream = $1 and revision <= $2 order by revision desc limit $3`,
};

/** The statement that reads events in the order of positions. */
export function eventsAfter(after: number, upTo: number, limit: number): Statement {
  const text = `select position, record from grantlog.events
    where position > $1 and position <= $2 order by position limit $3`;
  return { name: 'events-after', text, values: [after, upTo, limit] };
}

/** @throws LogDamaged the rows do not follow `after` without gaps, or one is not an event */
export function decodeInOrder(rows: readonly EventRow[], after: number): readonly RecordedEvent[] {
  return rows.map(({ position, record }, at) => {
    if (position !== after + at + 1) throw new LogDamaged((after + at + 1) as Position, MISSING);
    return decodeRecord(record, position);
  });
}

function decodeStream(
  rows: readonly StreamRow[],
  stream: StreamName,
  first: number,
  step: 1 | -1,
): readonly RecordedEvent[] {
  return rows.map(({ position, revision, record }, at) => {
    const event = decodeRecord(record, position);
    const isExpected = event.stream === stream && event.revision === revision && revision === first + at * step;
    if (!isExpected) throw new LogDamaged(position, `the index of stream ${stream} does not match its events`);
    return event;
  });
}

async function queryOn<Row extends object>(link: Link, statement: Statement): Promise<readonly Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    const connection = await link.connection();
    try {
      return await connection.query<Row>(statement);
    } catch (error) {
      if (isRefusal(error)) throw error;
      link.reset(connection);
      if (attempt === MAX_ATTEMPTS) throw new LogUnreachable('the database does not answer', { cause: error });
    }
  }
}
