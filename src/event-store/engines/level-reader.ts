import type { Level } from 'level';
import type { ReadableArchive } from '../archive/archive.ts';
import { START } from '../event-log.ts';
import type { LogDamaged, Position, RecordedEvent } from '../event-log.ts';
import { decodeRecord } from '../record.ts';
import { groupKey, groupRange, parseGroupKey, splitGroup } from './level-layout.ts';
import { createLevelStreams, missingEvents, type LevelStreams } from './level-streams.ts';
import type { IsNeverReused } from './level-archiving.ts';

/** What LevelDB hands over at once; its own default of 16 KiB halves the speed of a replay. */
const READ_AHEAD_BYTES = 1_048_576;
const READ_AHEAD_GROUPS = 1000;
/** Who reads back looks for something near, and is often content with the first batch. */
const BACKWARDS_GROUPS = 16;
const BACKWARDS_ARCHIVED_EVENTS = 512;

/**
 * Reads the log as laid out in LevelDB and, where it is not there any more, in the archive. Archived
 * events are in the archive before they are dropped, so whoever misses one looks there, and there is no
 * moment at which it is nowhere. `upTo` hides what is being written and not yet acknowledged.
 */
export interface LevelReader extends LevelStreams {
  /** The position of the last event stored; START when there is none. */
  lastPosition(): Promise<Position>;
  /** The position of the first event that is not only archived; undefined when there is none. */
  firstLive(): Promise<Position | undefined>;
  /** The events after `after` up to `upTo`, about `most` in a batch. @throws LogDamaged one is missing or unreadable */
  readBetween(after: Position, upTo: Position, most?: number): AsyncGenerator<readonly RecordedEvent[]>;
  /** The events from `from`, which is stored, back to the first one, in batches. @throws LogDamaged one is missing or unreadable */
  readBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]>;
}

export function createLevelReader(db: Level, archive: ReadableArchive, isNeverReused: IsNeverReused): LevelReader {
  const missing = (first: number, last: number): LogDamaged => archive.problem ?? missingEvents(first, last);

  /** The last group that begins at `position` or before. */
  async function groupAt(position: Position): Promise<readonly [key: string, records: string] | undefined> {
    const [entry] = await db.iterator({ ...groupRange(START, position), reverse: true, limit: 1 }).all();
    return entry;
  }

  async function lastPosition(): Promise<Position> {
    const last = await groupAt(Number.MAX_SAFE_INTEGER as Position);
    if (last === undefined) return archive.end();
    return (parseGroupKey(last[0]) + splitGroup(last[1]).length - 1) as Position;
  }

  async function firstLive(): Promise<Position | undefined> {
    const [key] = await db.keys({ ...groupRange(START, Number.MAX_SAFE_INTEGER as Position), limit: 1 }).all();
    return key === undefined ? undefined : parseGroupKey(key);
  }

  async function* readBetween(
    after: Position,
    upTo: Position,
    most = Infinity,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    for (let next = after + 1; next <= upTo;) {
      const before = next;
      const end = Math.min(archive.end(), upTo) as Position;
      const from = next as Position;
      const isArchived = from <= end;
      for await (const events of isArchived ? archive.read(from, end) : readLive(from, upTo, most)) {
        yield events;
        next = (events.at(-1)?.position ?? next) + 1;
      }
      // Nothing came: damage, unless what was live a moment ago was just archived.
      if (next === before && (isArchived || next > archive.end())) throw missing(next, upTo);
    }
  }

  /** Ends before a gap that the archive may fill. */
  async function* readLive(first: Position, upTo: Position, most: number): AsyncGenerator<readonly RecordedEvent[]> {
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
        let events: RecordedEvent[] = [];
        for (const [key, records] of entries) {
          const start = parseGroupKey(key);
          if (start > next && next <= archive.end()) {
            if (events.length > 0) yield events;
            return;
          }
          if (start > next) throw missing(next, start - 1);
          next = decodeGroup(start, records, next, events);
          if (events.length < most) continue;
          yield events;
          events = [];
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
    for (; last > START; last -= BACKWARDS_ARCHIVED_EVENTS) {
      const events: RecordedEvent[] = [];
      for await (const batch of archive.read(
        Math.max(START + 1, last - BACKWARDS_ARCHIVED_EVENTS + 1) as Position,
        last as Position,
      ))
        events.push(...batch);
      yield events.toReversed();
    }
  }

  /** Ends where the live log begins: all that an iterator shows was there when it was opened, archived since or not. */
  async function* readLiveBack(from: Position): AsyncGenerator<readonly RecordedEvent[]> {
    let last: number = from;
    const groups = db.iterator({ ...groupRange(START, from), reverse: true });
    try {
      for (;;) {
        const entries = await groups.nextv(BACKWARDS_GROUPS);
        if (entries.length === 0) return;
        const events: RecordedEvent[] = [];
        for (const [key, records] of entries) {
          const group: RecordedEvent[] = [];
          const start = parseGroupKey(key);
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
    ...createLevelStreams(db, archive, isNeverReused),
    lastPosition,
    firstLive,
    readBetween,
    readBackwards: readBack,
  };
}

/** Adds the events of a group from `next` on to `events`; returns the position that follows. */
function decodeGroup(first: Position, group: string, next: number, events: RecordedEvent[]): number {
  const records = splitGroup(group);
  for (let at = next - first; at < records.length; at += 1) {
    events.push(decodeRecord(records[at] ?? '', (first + at) as Position));
  }
  return Math.max(next, first + records.length);
}
