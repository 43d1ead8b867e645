import type { Level } from 'level';
import type { Archive } from '../archive/archive.ts';
import { LogDamaged, START } from '../event-log.ts';
import type { ExpectedRevision, Position, RecordedEvent, Revision, StreamName, StreamSlice } from '../event-log.ts';
import { decodeRecord } from '../record.ts';
import { appendKey, appendsOf, groupKey, groupsBetween, parseLocation, positionOfGroup, recordsOf, revisionOfAppend } from './level-layout.ts';
import type { AppendLocation } from './level-layout.ts';
import type { IsNeverReused } from './level-archiving.ts';
import type { StoredHeads } from './stream-heads.ts';

const FIRST_REVISION = 1 as Revision;

/** As many as a grant has whose code was redeemed and whose token was refreshed once or twice. */
const FEW_APPENDS = 4;

interface IndexedAppend extends AppendLocation {
  readonly first: Revision;
}

/** What LevelDB hands over at once; its own default of 16 KiB halves the speed of a replay. */
const READ_AHEAD_BYTES = 1_048_576;
const READ_AHEAD_GROUPS = 1000;
/** Who reads back looks for something near, and is often content with the first batch. */
const GROUPS_BACK = 16;
const ARCHIVED_BACK = 512;

/**
 * Reads the log as laid out in LevelDB and, where it is not there any more, in the archive. Archived
 * events are in the archive before they are dropped, so whoever misses one looks there, and there is no
 * moment at which it is nowhere. `upTo` hides what is being written and not yet acknowledged.
 */
export interface LevelReader extends StoredHeads {
  /** The position of the last event stored; START when there is none. */
  lastPosition(): Promise<Position>;
  /** The position of the first event that is not only archived; undefined when there is none. */
  firstLive(): Promise<Position | undefined>;
  readStream(stream: StreamName, upTo: Position): Promise<StreamSlice>;
  /** The events after `after` and up to `upTo`, in batches. @throws LogDamaged one is missing or unreadable */
  readBetween(after: Position, upTo: Position): AsyncGenerator<readonly RecordedEvent[]>;
  /** The events from `from`, which is stored, back to the first one, in batches. @throws LogDamaged one is missing or unreadable */
  readBack(from: Position): AsyncGenerator<readonly RecordedEvent[]>;
}

export type ReadArchive = Pick<Archive, 'end' | 'problem' | 'read' | 'readStream' | 'lastRevision'>;

export function createLevelReader(db: Level, archive: ReadArchive, isNeverReused: IsNeverReused): LevelReader {
  /** Whether the archive may have events of the stream that the index here does not know of. */
  const mayBeArchived = (stream: StreamName): boolean => (archive.end() > START || archive.problem !== undefined) && isNeverReused(stream);

  const missing = (first: number, last: number): LogDamaged => archive.problem ?? missingEvents(first, last);

  /** The last group that begins at `position` or before. */
  async function groupAt(position: Position): Promise<readonly [key: string, records: string] | undefined> {
    const [entry] = await db.iterator({ ...groupsBetween(START, position), reverse: true, limit: 1 }).all();
    return entry;
  }

  async function lastPosition(): Promise<Position> {
    const last = await groupAt(Number.MAX_SAFE_INTEGER as Position);
    if (last === undefined) return archive.end();
    return (positionOfGroup(last[0]) + recordsOf(last[1]).length - 1) as Position;
  }

  async function firstLive(): Promise<Position | undefined> {
    const [key] = await db.keys({ ...groupsBetween(START, Number.MAX_SAFE_INTEGER as Position), limit: 1 }).all();
    return key === undefined ? undefined : positionOfGroup(key);
  }

  async function lastRevision(stream: StreamName): Promise<Revision | 0> {
    const [entry] = await db.iterator({ ...appendsOf(stream), reverse: true, limit: 1 }).all();
    if (entry !== undefined) return (revisionOfAppend(entry[0]) + parseLocation(entry[1]).count - 1) as Revision;
    return mayBeArchived(stream) ? archive.lastRevision(stream) : 0;
  }

  async function readStream(stream: StreamName, upTo: Position): Promise<StreamSlice> {
    const few = fewAppends(stream);
    const index = few === undefined || (few.length === 0 && mayBeArchived(stream)) ? await allAppends(stream) : few;
    const [{ first: firstHere } = { first: Infinity }] = index;
    const archived = firstHere > FIRST_REVISION && mayBeArchived(stream) ? await archive.readStream(stream, firstHere) : [];
    const appends = index.filter(({ position }) => position <= upTo);
    const groups = await recordsAt(appends);
    const live = await Promise.all(appends.map((append) => eventsOfAppend(append, groups.get(append.group))));
    const events = [...archived, ...live.flat()];
    for (const [at, event] of events.entries()) mustBe(event, stream, at + 1);
    return { events, revision: events.at(-1)?.revision ?? 'no-stream' };
  }

  /** LevelDB's bloom filter answers for a new stream. Nobody begins a stream whose name was never given, so the archive is not asked. */
  function lastRevisionAtOnce(stream: StreamName, expected: ExpectedRevision): Revision | 0 | undefined {
    const appends = fewAppends(stream);
    const last = appends?.at(-1);
    if (last !== undefined) return (last.first + last.count - 1) as Revision;
    return appends !== undefined && (expected === 'no-stream' || !mayBeArchived(stream)) ? 0 : undefined;
  }

  /** Those of a short stream, as far as they are live, one look-up each: an iterator costs thirty times as much. Undefined for a longer one. */
  function fewAppends(stream: StreamName): readonly IndexedAppend[] | undefined {
    const appends: IndexedAppend[] = [];
    let first = FIRST_REVISION;
    while (appends.length <= FEW_APPENDS) {
      const location = db.getSync(appendKey(stream, first));
      if (location === undefined) return appends;
      const append = { first, ...parseLocation(location) };
      appends.push(append);
      first = (first + append.count) as Revision;
    }
    return undefined;
  }

  async function allAppends(stream: StreamName): Promise<readonly IndexedAppend[]> {
    const entries = await db.iterator(appendsOf(stream)).all();
    return entries.map(([key, location]) => ({ first: revisionOfAppend(key), ...parseLocation(location) }));
  }

  /** The groups that hold the appends, by position; undefined: not there. */
  async function recordsAt(appends: readonly AppendLocation[]): Promise<ReadonlyMap<Position, string | undefined>> {
    const wanted = [...new Set(appends.map(({ group }) => group))];
    const found = await db.getMany(wanted.map(groupKey));
    return new Map(wanted.map((group, at) => [group, found[at]]));
  }

  async function eventsOfAppend({ group, position, count }: AppendLocation, records: string | undefined): Promise<readonly RecordedEvent[]> {
    const last = (position + count - 1) as Position;
    if (records === undefined && last <= archive.end()) {
      const events: RecordedEvent[] = [];
      for await (const batch of archive.read(position, last)) events.push(...batch);
      return events;
    }
    const lines = recordsOf(records ?? '').slice(position - group, position - group + count);
    if (records === undefined || lines.length !== count) throw missing(position, last);
    return lines.map((record, at) => decodeRecord(record, (position + at) as Position));
  }

  async function* readBetween(after: Position, upTo: Position): AsyncGenerator<readonly RecordedEvent[]> {
    for (let next = after + 1; next <= upTo; ) {
      const before = next;
      const end = Math.min(archive.end(), upTo) as Position;
      const from = next as Position;
      const isArchived = from <= end;
      for await (const events of isArchived ? archive.read(from, end) : readLive(from, upTo)) {
        yield events;
        next = (events.at(-1)?.position ?? next) + 1;
      }
      // Nothing came: damage, unless what was live a moment ago was just archived.
      if (next === before && (isArchived || next > archive.end())) throw missing(next, upTo);
    }
  }

  /** Ends before a gap that the archive may fill. */
  async function* readLive(first: Position, upTo: Position): AsyncGenerator<readonly RecordedEvent[]> {
    let next: number = first;
    const begin = (await groupAt(first))?.[0] ?? groupKey(START);
    const groups = db.iterator({ gte: begin, lte: groupKey(upTo), highWaterMarkBytes: READ_AHEAD_BYTES });
    /** Of who has taken in a whole batch more is read meanwhile: a twentieth of a replay was spent waiting for it. */
    let upcoming: ReturnType<typeof groups.nextv> | undefined;
    try {
      for (let isLong = false; ; isLong = true) {
        const entries = await (upcoming ?? groups.nextv(READ_AHEAD_GROUPS));
        if (entries.length === 0) return;
        upcoming = isLong ? groups.nextv(READ_AHEAD_GROUPS) : undefined;
        upcoming?.catch(() => {}); // nobody awaits it where the reader stops here
        const events: RecordedEvent[] = [];
        for (const [key, records] of entries) {
          const start = positionOfGroup(key);
          if (start > next && next <= archive.end()) {
            if (events.length > 0) yield events;
            return;
          }
          if (start > next) throw missing(next, start - 1);
          next = decodeGroup(start, records, next, events);
        }
        if (events.length > 0) yield events;
      }
    } finally {
      await groups.close();
    }
  }

  async function* readBack(from: Position): AsyncGenerator<readonly RecordedEvent[]> {
    let last: number = from;
    for await (const events of readLiveBack(from)) {
      yield events;
      last = (events.at(-1)?.position ?? last + 1) - 1;
    }
    if (last > archive.end()) throw missing(START + 1, last);
    for (; last > START; last -= ARCHIVED_BACK) {
      const events: RecordedEvent[] = [];
      for await (const batch of archive.read(Math.max(START + 1, last - ARCHIVED_BACK + 1) as Position, last as Position)) events.push(...batch);
      yield events.toReversed();
    }
  }

  /** Ends where the live log begins: all that an iterator shows was there when it was opened, archived since or not. */
  async function* readLiveBack(from: Position): AsyncGenerator<readonly RecordedEvent[]> {
    let last: number = from;
    const groups = db.iterator({ ...groupsBetween(START, from), reverse: true });
    try {
      for (;;) {
        const entries = await groups.nextv(GROUPS_BACK);
        if (entries.length === 0) return;
        const events: RecordedEvent[] = [];
        for (const [key, records] of entries) {
          const group: RecordedEvent[] = [];
          const start = positionOfGroup(key);
          const end = decodeGroup(start, records, start, group) - 1;
          if (end < last) throw missing(end + 1, last);
          events.push(...group.filter(({ position }) => position <= last).toReversed());
          last = start - 1;
        }
        yield events;
      }
    } finally {
      await groups.close();
    }
  }

  return {
    lastPosition, firstLive, lastRevision, lastRevisionAtOnce, readStream, readBetween, readBack,
  };
}

/** Adds the events of a group from `next` on to `events`; returns the position that follows. */
function decodeGroup(first: Position, group: string, next: number, events: RecordedEvent[]): number {
  const records = recordsOf(group);
  for (let at = next - first; at < records.length; at += 1) {
    events.push(decodeRecord(records[at] ?? '', (first + at) as Position));
  }
  return Math.max(next, first + records.length);
}

function mustBe(event: RecordedEvent, stream: StreamName, revision: number): void {
  if (event.stream === stream && event.revision === revision) return;
  throw new LogDamaged(
    event.position,
    `revision ${revision} of stream ${stream} was looked for there, and revision ${event.revision} of stream ${event.stream} is there`,
  );
}

const missingEvents = (first: number, last: number): LogDamaged =>
  new LogDamaged(first as Position, first === last ? 'the event is missing' : `the events up to position ${last} are missing`);
