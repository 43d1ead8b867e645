import { basename } from 'node:path';
import type { Level } from 'level';
import type { Archive } from '../archive/archive.ts';
import { SEGMENT_RECORDS } from '../archive/segment-index.ts';
import { LogDamaged, START } from '../event-log.ts';
import type { Position, RecordedEvent, StreamName } from '../event-log.ts';
import type { ArchiveOptions, LogArchive, ArchiveResult } from '../log-archive.ts';
import { decodeRecord } from '../record.ts';
import { appendKey, ALL_APPENDS, groupKey, groupRange, parseGroupKey, splitGroup } from './level-layout.ts';

/** Whether a stream's name is random and given once: only the archive knows such a stream once it is archived. */
export type IsNeverReused = (stream: StreamName) => boolean;

interface ArchiveStorage {
  readonly db: Level;
  readonly archive: Archive;
  readonly isNeverReused: IsNeverReused;
}

/** Small enough that decoding them holds up nobody. */
const GROUPS_PER_BATCH = 32;

/** The archive of the log in `db`. One moving at a time: another one waits for its turn. */
export function createLevelArchive(
  storage: ArchiveStorage,
  {
    head,
    firstLive,
  }: { readonly head: () => Position; /** At the opening. */ readonly firstLive: Position | undefined },
): LogArchive & { stop(): Promise<void> } {
  const { archive } = storage;
  const stopping = new AbortController();
  const problem = archive.problem ?? findGap(archive.end(), firstLive);
  let last: Promise<unknown> = Promise.resolve();

  function mustBeWhole(): void {
    if (problem !== undefined) throw problem;
  }

  return {
    end: archive.end,
    assertComplete: mustBeWhole,

    archiveBefore(time, { signal, progress }) {
      const mayGoOn = (): void => {
        stopping.signal.throwIfAborted();
        signal.throwIfAborted();
      };
      const moving = last.then(() => {
        mustBeWhole();
        return moveToArchive(storage, time, head(), { throwIfStopped: mayGoOn, progress });
      });
      last = moving.catch(() => undefined); // whoever asked for it hears of it
      return moving;
    },

    async *check(signal, pace) {
      yield* archive.check(signal, pace);
      if (problem !== undefined) yield problem;
    },

    /** Resolves when nothing is being moved any more. */
    async stop() {
      stopping.abort();
      await last;
    },
  };
}

function findGap(end: Position, firstLive: Position | undefined): LogDamaged | undefined {
  if (firstLive === undefined && end > START)
    return new LogDamaged((end + 1) as Position, 'all events after those that are archived are missing');
  if (firstLive === undefined || firstLive <= end + 1) return undefined;
  return new LogDamaged(
    (end + 1) as Position,
    `the events up to position ${firstLive - 1} are neither in the archive nor in the live log; an archive file is missing`,
  );
}

interface MoveOptions {
  /** Throws when it is time to stop. */
  readonly throwIfStopped: () => void;
  readonly progress: ArchiveOptions['progress'];
}

/** Moves the groups all of whose events were recorded before `time`, but for the newest, and what was appended after `head`. */
async function moveToArchive(
  storage: ArchiveStorage,
  time: number,
  head: Position,
  { throwIfStopped: mayGoOn, progress }: MoveOptions,
): Promise<ArchiveResult> {
  const { db, archive } = storage;
  await finishDropping(storage);
  const begin = archive.end();
  const moved = { files: [] as string[], textBytes: 0, archivedBytes: 0 };
  for (;;) {
    const stretch = await archive.write(
      segmentGroups(oldGroups(db, archive.end(), head, time), { throwIfStopped: mayGoOn, progress }),
    );
    if (stretch === undefined) break;
    progress({ step: 'written', position: stretch.seal.last });
    mayGoOn();
    await stretch.publish();
    archive.add(stretch.seal); // readers find it there before it is gone from here
    moved.files.push(basename(stretch.file));
    moved.textBytes += stretch.textBytes;
    moved.archivedBytes += stretch.seal.records.bytes + stretch.seal.index.bytes;
    progress({ step: 'sealed', position: stretch.seal.last });
    await dropArchived(storage, (position) => {
      progress({ step: 'dropped', position });
      mayGoOn();
    });
  }
  const end = archive.end();
  if (end > begin) {
    await compactArchived(db, end);
    progress({ step: 'compacted', position: end });
  }
  return { ...moved, events: end - begin, end };
}

/** The groups after `after`, which follow each other, as long as they are old; the newest of all is none of them. */
async function* oldGroups(
  db: Level,
  after: Position,
  head: Position,
  time: number,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  let next = after + 1;
  let held: readonly RecordedEvent[] | undefined;
  const groups = db.iterator(groupRange(next as Position, head));
  try {
    for (;;) {
      const entries = await groups.nextv(GROUPS_PER_BATCH);
      if (entries.length === 0) return;
      for (const [key, group] of entries) {
        if (held !== undefined) yield held;
        if (parseGroupKey(key) !== next)
          throw new LogDamaged(next as Position, `the events up to position ${parseGroupKey(key) - 1} are missing`);
        held = decodeGroup(key, group);
        if (held.some(({ recordedAt }) => recordedAt >= time)) return;
        next += held.length;
      }
    }
  } finally {
    await groups.close();
  }
}

async function* segmentGroups(
  groups: AsyncIterable<readonly RecordedEvent[]>,
  { throwIfStopped: mayGoOn, progress }: MoveOptions,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  let records = 0;
  for await (const events of groups) {
    mayGoOn();
    records += events.length;
    if (records > SEGMENT_RECORDS) return;
    yield events;
    progress({ step: 'compressed', position: events.at(-1)?.position ?? START });
  }
}

/** Whether an earlier archiving was interrupted before all that it moved was dropped. */
async function hasArchivedGroups({ db, archive }: Pick<ArchiveStorage, 'db' | 'archive'>): Promise<boolean> {
  return (await db.keys({ ...groupRange(START, archive.end()), limit: 1 }).all()).length > 0;
}

/**
 * Drops what is archived: a group and what the index says of it in one write, so that the groups that
 * are left say what is left to do. Not synced: what a crash brings back is dropped at the next opening.
 */
async function dropArchived(
  { db, archive, isNeverReused }: ArchiveStorage,
  dropped: (position: Position) => void,
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
          if (isNeverReused(stream)) batch.del(appendKey(stream, revision)); // not every revision began an append
        }
      }
      await batch.write();
      dropped(last);
    }
  } finally {
    await groups.close();
  }
}

/** Finishes what an interrupted archiving left to do. */
export async function finishDropping(storage: ArchiveStorage): Promise<void> {
  if (!(await hasArchivedGroups(storage))) return;
  await dropArchived(storage, () => {});
  await compactArchived(storage.db, storage.archive.end());
}

/** What LevelDB has on Node, and its typings for every platform leave out. */
interface RangeCompaction {
  compactRange(start: string, end: string): Promise<void>;
}

async function compactArchived(db: Level, end: Position): Promise<void> {
  const compacting = db as unknown as RangeCompaction;
  await compacting.compactRange(groupKey(START), groupKey(end));
  await compacting.compactRange(ALL_APPENDS.gte, ALL_APPENDS.lt);
}

function decodeGroup(key: string, group: string): readonly RecordedEvent[] {
  const first = parseGroupKey(key);
  return splitGroup(group).map((record, at) => decodeRecord(record, (first + at) as Position));
}
