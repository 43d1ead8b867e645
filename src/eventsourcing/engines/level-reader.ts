import type { Level } from 'level';
import { LogDamaged, START } from '../event-log.ts';
import type { Position, RecordedEvent, Revision, StreamName, StreamSlice } from '../event-log.ts';
import { decodeRecord } from '../record.ts';
import { appendKey, appendsOf, groupKey, groupsBetween, parseLocation, positionOfGroup, recordsOf, revisionOfAppend } from './level-layout.ts';
import type { AppendLocation } from './level-layout.ts';

const FIRST_REVISION = 1 as Revision;

/** What LevelDB hands over at once; its own default of 16 KiB halves the speed of a replay. */
const READ_AHEAD_BYTES = 1_048_576;
const READ_AHEAD_GROUPS = 1000;

/** Reads the log as laid out in LevelDB. `upTo` hides what is being written and not yet acknowledged. */
export interface LevelReader {
  /** The position of the last event stored; START when there is none. */
  lastPosition(): Promise<Position>;
  /** Whether anybody ever wrote to `stream`. Synchronous and cheap for a new stream: LevelDB's bloom filter answers. */
  streamExists(stream: StreamName): boolean;
  /** The revision of the last event in a stream that exists. */
  lastRevision(stream: StreamName): Promise<Revision>;
  readStream(stream: StreamName, upTo: Position): Promise<StreamSlice>;
  /** The events after `after` and up to `upTo`, in batches. @throws LogDamaged one is missing or unreadable */
  readBetween(after: Position, upTo: Position): AsyncGenerator<readonly RecordedEvent[]>;
}

export function createLevelReader(db: Level): LevelReader {
  const streamExists = (stream: StreamName): boolean => db.getSync(appendKey(stream, FIRST_REVISION)) !== undefined;

  /** The last group that begins at `position` or before. */
  async function groupAt(position: Position): Promise<readonly [key: string, records: string] | undefined> {
    const [entry] = await db.iterator({ ...groupsBetween(START, position), reverse: true, limit: 1 }).all();
    return entry;
  }

  async function lastPosition(): Promise<Position> {
    const last = await groupAt(Number.MAX_SAFE_INTEGER as Position);
    if (last === undefined) return START;
    return (positionOfGroup(last[0]) + recordsOf(last[1]).length - 1) as Position;
  }

  async function lastRevision(stream: StreamName): Promise<Revision> {
    const [entry] = await db.iterator({ ...appendsOf(stream), reverse: true, limit: 1 }).all();
    if (entry === undefined) throw new Error(`stream ${stream} does not exist`);
    return (revisionOfAppend(entry[0]) + parseLocation(entry[1]).count - 1) as Revision;
  }

  async function readStream(stream: StreamName, upTo: Position): Promise<StreamSlice> {
    if (!streamExists(stream)) return { events: [], revision: 'no-stream' };
    const index = await db.values(appendsOf(stream)).all();
    const appends = index.map(parseLocation).filter(({ position }) => position <= upTo);
    const groups = await db.getMany(appends.map(({ group }) => groupKey(group)));
    const events = appends.flatMap((append, at) => eventsOfAppend(append, groups[at]));
    for (const [at, event] of events.entries()) mustBe(event, stream, at + 1);
    return { events, revision: events.at(-1)?.revision ?? 'no-stream' };
  }

  async function* readBetween(after: Position, upTo: Position): AsyncGenerator<readonly RecordedEvent[]> {
    if (after >= upTo) return;
    let next = after + 1;
    const begin = (await groupAt(next as Position))?.[0] ?? groupKey(START);
    const groups = db.iterator({ gte: begin, lte: groupKey(upTo), highWaterMarkBytes: READ_AHEAD_BYTES });
    try {
      for (;;) {
        const entries = await groups.nextv(READ_AHEAD_GROUPS);
        if (entries.length === 0) break;
        const events: RecordedEvent[] = [];
        for (const [key, records] of entries) next = decodeGroup(positionOfGroup(key), records, next, events);
        if (events.length > 0) yield events;
      }
    } finally {
      await groups.close();
    }
    if (next !== upTo + 1) throw missing(next, upTo);
  }

  return { lastPosition, streamExists, lastRevision, readStream, readBetween };
}

/** Adds the events of a group from `next` on to `events`; returns the position that follows. */
function decodeGroup(first: Position, group: string, next: number, events: RecordedEvent[]): number {
  const records = recordsOf(group);
  if (first > next) throw missing(next, first - 1);
  for (let at = next - first; at < records.length; at += 1) {
    events.push(decodeRecord(records[at] ?? '', (first + at) as Position));
  }
  return Math.max(next, first + records.length);
}

function eventsOfAppend({ group, position, count }: AppendLocation, records: string | undefined): readonly RecordedEvent[] {
  const lines = recordsOf(records ?? '').slice(position - group, position - group + count);
  if (records === undefined || lines.length !== count) throw missing(position, position + count - 1);
  return lines.map((record, at) => decodeRecord(record, (position + at) as Position));
}

function mustBe(event: RecordedEvent, stream: StreamName, revision: number): void {
  if (event.stream === stream && event.revision === revision) return;
  throw new LogDamaged(
    event.position,
    `revision ${revision} of stream ${stream} was looked for there, and revision ${event.revision} of stream ${event.stream} is there`,
  );
}

const missing = (first: number, last: number): LogDamaged =>
  new LogDamaged(first as Position, first === last ? 'the event is missing' : `the events up to position ${last} are missing`);
