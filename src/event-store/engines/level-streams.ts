import type { Level } from 'level';
import type { ReadableArchive } from '../archive/archive.ts';
import { LogDamaged, START } from '../event-log.ts';
import type { EventLocation, ExpectedRevision, Position, RecordedEvent, Revision, StreamName } from '../event-log.ts';
import { decodeRecord } from '../record.ts';
import type { IsNeverReused } from './level-archiving.ts';
import { appendKey, appendRange, groupKey, parseLocation, splitGroup, parseAppendRevision } from './level-layout.ts';
import type { AppendLocation } from './level-layout.ts';
import type { StoredHeads } from './stream-heads.ts';

const FIRST_REVISION = 1 as Revision;

/** Enough for a grant whose code was redeemed and whose token was refreshed once or twice. */
const MAX_SHORT_STREAM_APPENDS = 4;

/**
 * The number of appends read together. Each append to a grant's stream holds two events, so a page stays small enough
 * to decode in one turn.
 */
const APPENDS_PER_PAGE = 32;

interface IndexedAppend extends AppendLocation {
  readonly first: Revision;
}

type Pages = AsyncGenerator<readonly RecordedEvent[], void, void>;

/** Reads streams through the live index and, for dropped entries, from the archive. */
export interface LevelStreams extends StoredHeads {
  /**
   * Reads the events of the stream from `from`, or from its first event, up to position `upTo`, in pages.
   * @throws LogDamaged if an event is missing, or another event is in its place
   */
  readStream(stream: StreamName, upTo: Position, from?: EventLocation): Pages;
  /**
   * Reads the same events, newest first, starting at `from` or at the last event.
   * @throws LogDamaged if an event is missing, or another event is in its place
   */
  readStreamBackwards(stream: StreamName, upTo: Position, from?: EventLocation): Pages;
}

export function createLevelStreams(db: Level, archive: ReadableArchive, isNeverReused: IsNeverReused): LevelStreams {
  /** Reports whether the archive may have events of the stream that the live index lacks. */
  const mayBeArchived = (stream: StreamName): boolean =>
    (archive.end() > START || archive.problem !== undefined) && isNeverReused(stream);

  async function lastRevision(stream: StreamName): Promise<Revision | 0> {
    const [newest] = await findLastAppendsUpTo(stream, Number.MAX_SAFE_INTEGER, 1);
    if (newest !== undefined) return lastRevisionIn(newest);
    return mayBeArchived(stream) ? archive.lastRevision(stream) : 0;
  }

  async function* readStream(stream: StreamName, upTo: Position, from?: EventLocation): Pages {
    const shortStreamAppends = findShortStreamAppends(stream);
    let next: number = from?.revision ?? FIRST_REVISION;
    let after: number = from === undefined ? START : from.position - 1;

    function follow(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
      for (const event of events) {
        assertRevision(event, stream, next);
        next += 1;
        after = event.position;
      }
      return events;
    }

    if (shortStreamAppends !== undefined) {
      const events = (await readAppends(shortStreamAppends, upTo)).filter(({ revision }) => revision >= next);
      if (events.length > 0) yield follow(events);
      return;
    }
    for (;;) {
      const events = (await readAppends(await findAppendsFrom(stream, next), upTo)).filter(
        ({ revision }) => revision >= next,
      );
      const pageStart = next;
      if (events[0]?.revision !== next && mayBeArchived(stream)) {
        for await (const archivedEvents of archive.readStream(stream, after)) yield follow(archivedEvents);
      }
      if (next > pageStart) continue; // look again: the live events may just have been archived
      if (events.length === 0) return;
      yield follow(events);
    }
  }

  async function* readStreamBackwards(stream: StreamName, upTo: Position, from?: EventLocation): Pages {
    const shortStreamAppends = findShortStreamAppends(stream);
    let last: number | undefined = from?.revision;
    let beforePosition: number = (from?.position ?? upTo) + 1;

    function follow(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
      for (const event of events) {
        assertRevision(event, stream, last ?? event.revision);
        last = event.revision - 1;
        beforePosition = event.position;
      }
      return events;
    }

    const readNewestFirst = async (appends: readonly IndexedAppend[]): Promise<readonly RecordedEvent[]> =>
      (await readAppends(appends, upTo)).filter(({ revision }) => revision <= (last ?? revision)).toReversed();

    if (shortStreamAppends !== undefined) {
      const events = await readNewestFirst(shortStreamAppends);
      if (events.length > 0) yield follow(events);
      return;
    }
    for (let upperBound: number = last ?? Number.MAX_SAFE_INTEGER; upperBound >= FIRST_REVISION;) {
      const appends = await findLastAppendsUpTo(stream, upperBound, APPENDS_PER_PAGE);
      const [oldest] = appends;
      if (oldest === undefined) break;
      const events = await readNewestFirst(appends);
      if (events.length > 0) yield follow(events);
      upperBound = oldest.first - 1;
    }
    if (last !== 0 && mayBeArchived(stream)) {
      for await (const archivedEvents of archive.readStreamBackwards(stream, beforePosition)) {
        yield follow(archivedEvents);
        if (last === 0) return;
      }
    }
    if (last === undefined || last === 0) return;
    throw new LogDamaged(
      beforePosition as Position,
      `revision ${last} of stream ${stream} is missing before this position`,
    );
  }

  /**
   * Returns the last revision, 0 if the stream is empty, or undefined if it cannot be determined synchronously. For a
   * new stream, LevelDB's Bloom filter shows that there are no appends. For 'no-stream', the archive is not searched,
   * because the name is not expected to have been used.
   */
  function lastRevisionSync(stream: StreamName, expected: ExpectedRevision): Revision | 0 | undefined {
    const appends = findLiveAppendsIfFew(stream);
    const lastAppend = appends?.at(-1);
    if (lastAppend !== undefined) return lastRevisionIn(lastAppend);
    return appends !== undefined && (expected === 'no-stream' || !mayBeArchived(stream)) ? 0 : undefined;
  }

  /** Returns all appends of a short stream that is not archived, or undefined for any other stream. */
  function findShortStreamAppends(stream: StreamName): readonly IndexedAppend[] | undefined {
    const appends = findLiveAppendsIfFew(stream);
    return appends === undefined || (appends.length === 0 && mayBeArchived(stream)) ? undefined : appends;
  }

  /**
   * Returns the live appends of a short stream, with one lookup each instead of an iterator. Returns undefined for a
   * longer stream.
   */
  function findLiveAppendsIfFew(stream: StreamName): readonly IndexedAppend[] | undefined {
    const appends: IndexedAppend[] = [];
    let first = FIRST_REVISION;
    while (appends.length <= MAX_SHORT_STREAM_APPENDS) {
      const location = db.getSync(appendKey(stream, first));
      if (location === undefined) return appends;
      const append = { first, ...parseLocation(location) };
      appends.push(append);
      first = (first + append.count) as Revision;
    }
    return undefined;
  }

  /** Returns a page of appends, starting with the one that contains `revision`. */
  async function findAppendsFrom(stream: StreamName, revision: number): Promise<readonly IndexedAppend[]> {
    const [append] = await findLastAppendsUpTo(stream, revision, 1);
    const gte = appendKey(stream, append?.first ?? (revision as Revision));
    return parseEntries(await db.iterator({ ...appendRange(stream), gte, limit: APPENDS_PER_PAGE }).all());
  }

  /** Returns the last appends that begin at `revision` or earlier, oldest first. */
  async function findLastAppendsUpTo(
    stream: StreamName,
    revision: number,
    limit: number,
  ): Promise<readonly IndexedAppend[]> {
    const lte = appendKey(stream, revision as Revision);
    return parseEntries(await db.iterator({ ...appendRange(stream), lte, reverse: true, limit }).all()).toReversed();
  }

  /** Reads the events of the appends, oldest first. Skips appends after `upTo`, which are not yet acknowledged. */
  async function readAppends(appends: readonly IndexedAppend[], upTo: Position): Promise<readonly RecordedEvent[]> {
    const durableAppends = appends.filter(({ position }) => position <= upTo);
    const groups = await readGroups(durableAppends);
    return (await Promise.all(durableAppends.map((append) => readAppend(append, groups.get(append.group))))).flat();
  }

  /** Returns the groups that contain the appends, keyed by position; undefined for a group that is not stored. */
  async function readGroups(appends: readonly AppendLocation[]): Promise<ReadonlyMap<Position, string | undefined>> {
    const positions = [...new Set(appends.map(({ group }) => group))];
    const groups = await db.getMany(positions.map(groupKey));
    return new Map(positions.map((group, index) => [group, groups[index]]));
  }

  async function readAppend(
    { group, position, count }: AppendLocation,
    records: string | undefined,
  ): Promise<readonly RecordedEvent[]> {
    const lastPosition = (position + count - 1) as Position;
    if (records === undefined && lastPosition <= archive.end()) {
      const events: RecordedEvent[] = [];
      for await (const batch of archive.read(position, lastPosition)) events.push(...batch);
      return events;
    }
    const lines = splitGroup(records ?? '').slice(position - group, position - group + count);
    if (records === undefined || lines.length !== count)
      throw archive.problem ?? missingEventsError(position, lastPosition);
    return lines.map((record, index) => decodeRecord(record, (position + index) as Position));
  }

  return { lastRevision, lastRevisionSync, readStream, readStreamBackwards };
}

function parseEntries(entries: readonly (readonly [key: string, location: string])[]): readonly IndexedAppend[] {
  return entries.map(([key, location]) => ({ first: parseAppendRevision(key), ...parseLocation(location) }));
}

function lastRevisionIn({ first, count }: IndexedAppend): Revision {
  return (first + count - 1) as Revision;
}

function assertRevision(event: RecordedEvent, stream: StreamName, revision: number): void {
  if (event.stream === stream && event.revision === revision) return;
  const actualEvent = `found revision ${event.revision} of stream ${event.stream}`;
  throw new LogDamaged(event.position, `expected revision ${revision} of stream ${stream}, but ${actualEvent}`);
}

export function missingEventsError(first: number, last: number): LogDamaged {
  const problem = first === last ? 'the event is missing' : `the events up to position ${last} are missing`;
  return new LogDamaged(first as Position, problem);
}
