import { basename } from 'node:path';
import type { Level } from 'level';
import type { Archive } from '../archive/archive.ts';
import { MAX_RECORDS_PER_SEGMENT } from '../archive/segment-index.ts';
import { LogDamaged, START } from '../event-log.ts';
import type { ArchiveOptions, ArchiveResult, LogArchive, Position, RecordedEvent, StreamName } from '../event-log.ts';
import { decodeRecord } from '../record.ts';
import { appendKey, ALL_APPENDS, groupKey, groupRange, parseGroupKey, splitGroup } from './level-layout.ts';

/**
 * Reports whether the stream's name is random and never used again. If so, the stream's index entries can be dropped
 * when its events are archived.
 */
export type IsNeverReused = (stream: StreamName) => boolean;

interface ArchiveStorage {
  readonly db: Level;
  readonly archive: Archive;
  readonly isNeverReused: IsNeverReused;
}

/** Few enough to decode without blocking the event loop for long. */
const GROUPS_PER_BATCH = 32;

/** Creates the archive of the log in `db`. A call of `archiveBefore` waits until earlier calls have finished. */
export function createLevelArchive(
  storage: ArchiveStorage,
  {
    head,
    firstLive,
  }: {
    readonly head: () => Position;
    /** The position of the first event in `db` when the log was opened. */
    readonly firstLive: Position | undefined;
  },
): LogArchive & { stop(): Promise<void> } {
  const { archive } = storage;
  const stopController = new AbortController();
  const problem = archive.problem ?? findGap(archive.end(), firstLive);
  let lastMove: Promise<unknown> = Promise.resolve();

  function assertComplete(): void {
    if (problem !== undefined) throw problem;
  }

  return {
    end: archive.end,
    assertComplete,

    archiveBefore(time, { signal, progress }) {
      const throwIfStopped = (): void => {
        stopController.signal.throwIfAborted();
        signal.throwIfAborted();
      };
      const move = lastMove.then(() => {
        assertComplete();
        return moveToArchive(storage, time, head(), { throwIfStopped, progress });
      });
      lastMove = move.catch(() => undefined); // the caller gets the error
      return move;
    },

    async *check(signal, pace) {
      yield* archive.check(signal, pace);
      if (problem !== undefined) yield problem;
    },

    /** Stops archiving. Resolves when nothing is being moved. */
    async stop() {
      stopController.abort();
      await lastMove;
    },
  };
}

function findGap(end: Position, firstLive: Position | undefined): LogDamaged | undefined {
  if (firstLive === undefined && end > START)
    return new LogDamaged((end + 1) as Position, 'all events after the archived ones are missing');
  if (firstLive === undefined || firstLive <= end + 1) return undefined;
  return new LogDamaged(
    (end + 1) as Position,
    `the events up to position ${firstLive - 1} are neither in the archive nor in the live log: ` +
      'an archive file is missing',
  );
}

interface MoveOptions {
  /** @throws the reason for the abort if archiving must stop */
  readonly throwIfStopped: () => void;
  readonly progress: ArchiveOptions['progress'];
}

/**
 * Moves to the archive all groups before the first group with an event recorded at `time` or later. Never moves the
 * last group or events after `head`.
 */
async function moveToArchive(
  storage: ArchiveStorage,
  time: number,
  head: Position,
  { throwIfStopped, progress }: MoveOptions,
): Promise<ArchiveResult> {
  const { db, archive } = storage;
  await finishDropping(storage);
  const begin = archive.end();
  const totals = { files: [] as string[], textBytes: 0, archivedBytes: 0 };
  for (;;) {
    const segment = await archive.write(
      takeSegment(readOldGroups(db, archive.end(), head, time), { throwIfStopped, progress }),
    );
    if (segment === undefined) break;
    progress({ step: 'written', position: segment.seal.last });
    throwIfStopped();
    await segment.publish();
    archive.add(segment.seal); // visible in the archive before it is dropped from the database
    totals.files.push(basename(segment.file));
    totals.textBytes += segment.textBytes;
    totals.archivedBytes += segment.seal.records.bytes + segment.seal.index.bytes;
    progress({ step: 'sealed', position: segment.seal.last });
    await dropArchivedGroups(storage, (position) => {
      progress({ step: 'dropped', position });
      throwIfStopped();
    });
  }
  const end = archive.end();
  if (end > begin) {
    await compactArchivedRange(db, end);
    progress({ step: 'compacted', position: end });
  }
  return { ...totals, events: end - begin, end };
}

/**
 * Yields the groups after position `after`, until a group contains an event recorded at `time` or later. Never yields
 * the last group.
 * @throws LogDamaged if events between two groups are missing
 */
async function* readOldGroups(
  db: Level,
  after: Position,
  head: Position,
  time: number,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  let nextPosition = after + 1;
  let previousEvents: readonly RecordedEvent[] | undefined;
  const groups = db.iterator(groupRange(nextPosition as Position, head));
  try {
    for (;;) {
      const entries = await groups.nextv(GROUPS_PER_BATCH);
      if (entries.length === 0) return;
      for (const [key, group] of entries) {
        if (previousEvents !== undefined) yield previousEvents;
        if (parseGroupKey(key) !== nextPosition)
          throw new LogDamaged(
            nextPosition as Position,
            `the events up to position ${parseGroupKey(key) - 1} are missing`,
          );
        previousEvents = decodeGroup(key, group);
        if (previousEvents.some(({ recordedAt }) => recordedAt >= time)) return;
        nextPosition += previousEvents.length;
      }
    }
  } finally {
    await groups.close();
  }
}

async function* takeSegment(
  groups: AsyncIterable<readonly RecordedEvent[]>,
  { throwIfStopped, progress }: MoveOptions,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  let records = 0;
  for await (const events of groups) {
    throwIfStopped();
    records += events.length;
    if (records > MAX_RECORDS_PER_SEGMENT) return;
    yield events;
    progress({ step: 'compressed', position: events.at(-1)?.position ?? START });
  }
}

/** Reports whether an earlier run was interrupted before it dropped all groups that it had moved. */
async function hasArchivedGroups({ db, archive }: Pick<ArchiveStorage, 'db' | 'archive'>): Promise<boolean> {
  return (await db.keys({ ...groupRange(START, archive.end()), limit: 1 }).all()).length > 0;
}

/**
 * Drops the archived groups. Each group is dropped together with its index entries, so after an interruption the next
 * run continues with the remaining groups. The deletions are not synced: after a crash, the next startup repeats the
 * lost ones.
 */
async function dropArchivedGroups(
  { db, archive, isNeverReused }: ArchiveStorage,
  onDropped: (position: Position) => void,
): Promise<void> {
  const groups = db.iterator(groupRange(START, archive.end()));
  try {
    for (;;) {
      const entries = await groups.nextv(GROUPS_PER_BATCH);
      if (entries.length === 0) return;
      const batch = db.batch();
      let last: Position = START;
      for (const [key, group] of entries) {
        batch.del(key);
        for (const { stream, revision, position } of decodeGroup(key, group)) {
          last = position;
          if (isNeverReused(stream)) batch.del(appendKey(stream, revision)); // exists for the first event of an append
        }
      }
      await batch.write();
      onDropped(last);
    }
  } finally {
    await groups.close();
  }
}

/** Drops the archived groups that an interrupted run left in the database. */
export async function finishDropping(storage: ArchiveStorage): Promise<void> {
  if (!(await hasArchivedGroups(storage))) return;
  await dropArchivedGroups(storage, () => {});
  await compactArchivedRange(storage.db, storage.archive.end());
}

/** On Node, `level` has this method. Its types cover all platforms and therefore omit it. */
interface RangeCompaction {
  compactRange(start: string, end: string): Promise<void>;
}

async function compactArchivedRange(db: Level, end: Position): Promise<void> {
  const compactable = db as unknown as RangeCompaction;
  await compactable.compactRange(groupKey(START), groupKey(end));
  await compactable.compactRange(ALL_APPENDS.gte, ALL_APPENDS.lt);
}

function decodeGroup(key: string, group: string): readonly RecordedEvent[] {
  const firstPosition = parseGroupKey(key);
  return splitGroup(group).map((record, index) => decodeRecord(record, (firstPosition + index) as Position));
}
