import type { Level } from 'level';
import type { ReadableArchive } from '../archive/archive.ts';
import { START } from '../event-log.ts';
import type { LogDamaged, Position, RecordedEvent } from '../event-log.ts';
import { decodeRecord } from '../record.ts';
import { groupKey, groupRange, parseGroupKey, splitGroup } from './level-layout.ts';
import { createLevelStreams, missingEventsError, type LevelStreams } from './level-streams.ts';
import type { IsNeverReused } from './level-archiving.ts';

/**
 * The number of bytes that LevelDB returns per read. Its default of 16 KiB is meant for short reads, not for replays.
 */
const READ_AHEAD_BYTES = 1_048_576;
const READ_AHEAD_GROUPS = 1000;
/** Consumers that read backwards often stop after the first batch. */
const BACKWARDS_GROUPS = 16;
const BACKWARDS_ARCHIVED_EVENTS = 512;

/**
 * Reads live events from LevelDB, and archived events from the archive. Events are archived before they are dropped
 * from LevelDB, so a reader that no longer finds an event in LevelDB always finds it in the archive. `upTo` excludes
 * events that are written but not yet acknowledged.
 */
export interface LevelReader extends LevelStreams {
  /** Returns the position of the last stored event, or START if the log is empty. */
  lastPosition(): Promise<Position>;
  /** Returns the position of the first event in LevelDB, or undefined if LevelDB contains no events. */
  firstLive(): Promise<Position | undefined>;
  /**
   * Reads the events after position `after` and up to `upTo`, in batches of about `maxEvents`.
   * @throws LogDamaged if an event is missing or unreadable
   */
  readBetween(after: Position, upTo: Position, maxEvents?: number): AsyncGenerator<readonly RecordedEvent[]>;
  /**
   * Reads the events from position `from`, which must be stored, back to the first event, in batches.
   * @throws LogDamaged if an event is missing or unreadable
   */
  readBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]>;
}

export function createLevelReader(db: Level, archive: ReadableArchive, isNeverReused: IsNeverReused): LevelReader {
  const missingError = (first: number, last: number): LogDamaged => archive.problem ?? missingEventsError(first, last);

  /** Returns the last group that begins at `position` or earlier. */
  async function groupAt(position: Position): Promise<readonly [key: string, records: string] | undefined> {
    const [entry] = await db.iterator({ ...groupRange(START, position), reverse: true, limit: 1 }).all();
    return entry;
  }

  async function lastPosition(): Promise<Position> {
    const lastGroup = await groupAt(Number.MAX_SAFE_INTEGER as Position);
    if (lastGroup === undefined) return archive.end();
    return (parseGroupKey(lastGroup[0]) + splitGroup(lastGroup[1]).length - 1) as Position;
  }

  async function firstLive(): Promise<Position | undefined> {
    const [key] = await db.keys({ ...groupRange(START, Number.MAX_SAFE_INTEGER as Position), limit: 1 }).all();
    return key === undefined ? undefined : parseGroupKey(key);
  }

  async function* readBetween(
    after: Position,
    upTo: Position,
    maxEvents = Infinity,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    for (let nextPosition = after + 1; nextPosition <= upTo;) {
      const batchStart = nextPosition;
      const end = Math.min(archive.end(), upTo) as Position;
      const from = nextPosition as Position;
      const isArchived = from <= end;
      for await (const events of isArchived ? archive.read(from, end) : readLive(from, upTo, maxEvents)) {
        yield events;
        nextPosition = (events.at(-1)?.position ?? nextPosition) + 1;
      }
      // No events were found. The log is damaged, unless the live events were archived in the meantime.
      if (nextPosition === batchStart && (isArchived || nextPosition > archive.end()))
        throw missingError(nextPosition, upTo);
    }
  }

  /** Reads events from LevelDB. Stops before a gap that the archive may fill. */
  async function* readLive(
    first: Position,
    upTo: Position,
    maxEvents: number,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let next: number = first;
    const begin = (await groupAt(first))?.[0] ?? groupKey(START);
    const groups = db.iterator({ gte: begin, lte: groupKey(upTo), highWaterMarkBytes: READ_AHEAD_BYTES });
    /** The batch after the current one. From the second batch on, it is read in advance. */
    let nextBatch: ReturnType<typeof groups.nextv> | undefined;
    try {
      for (let isLong = false; ; isLong = true) {
        const entries = await (nextBatch ?? groups.nextv(READ_AHEAD_GROUPS));
        if (entries.length === 0) return;
        nextBatch = isLong ? groups.nextv(READ_AHEAD_GROUPS) : undefined;
        nextBatch?.catch(() => {}); // not awaited if the consumer stops early
        let events: RecordedEvent[] = [];
        for (const [key, records] of entries) {
          const start = parseGroupKey(key);
          if (start > next && next <= archive.end()) {
            if (events.length > 0) yield events;
            return;
          }
          if (start > next) throw missingError(next, start - 1);
          next = decodeGroup(start, records, next, events);
          if (events.length < maxEvents) continue;
          yield events;
          events = [];
        }
        if (events.length > 0) yield events;
      }
    } finally {
      await groups.close();
    }
  }

  async function* readBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]> {
    let last: number = from;
    for await (const events of readLiveBackwards(from)) {
      yield events;
      last = (events.at(-1)?.position ?? last + 1) - 1;
    }
    if (last > archive.end()) throw missingError(START + 1, last);
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

  /**
   * Reads live events, newest first. Stops where the live log begins. The iterator reads a snapshot, so it also finds
   * events that are archived while it is open.
   */
  async function* readLiveBackwards(from: Position): AsyncGenerator<readonly RecordedEvent[]> {
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
          if (end < last) throw missingError(end + 1, last);
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
    readBackwards,
  };
}

/** Decodes the events of a group, starting at position `next`, into `events`. Returns the position after the group. */
function decodeGroup(first: Position, group: string, next: number, events: RecordedEvent[]): number {
  const records = splitGroup(group);
  for (let index = next - first; index < records.length; index += 1) {
    events.push(decodeRecord(records[index] ?? '', (first + index) as Position));
  }
  return Math.max(next, first + records.length);
}
