import { basename } from 'node:path';
import type { Level } from 'level';
import type { Archive } from '../archive/archive.ts';
import { STRETCH_RECORDS } from '../archive/stretch-index.ts';
import { LogDamaged, START } from '../event-log.ts';
import type { Position, RecordedEvent, StreamName } from '../event-log.ts';
import type { ArchiveWatch, LogArchive, Moved } from '../log-archive.ts';
import { decodeRecord } from '../record.ts';
import { appendKey, appendKeys, groupKey, groupsBetween, positionOfGroup, recordsOf } from './level-layout.ts';

/** Whether a stream's name is random and given once: only the archive knows such a stream once it is archived. */
export type IsNeverReused = (stream: StreamName) => boolean;

interface Storage {
  readonly db: Level;
  readonly archive: Archive;
  readonly isNeverReused: IsNeverReused;
}

/** Small enough that decoding them holds up nobody. */
const GROUPS_AT_ONCE = 32;

/** The archive of the log in `db`. One moving at a time: another one waits for its turn. */
export function createLevelArchive(
  storage: Storage,
  {
    head,
    firstLive,
  }: { readonly head: () => Position; /** At the opening. */ readonly firstLive: Position | undefined },
): LogArchive & { stop(): Promise<void> } {
  const { archive } = storage;
  const stopping = new AbortController();
  const problem = archive.problem ?? gapAfter(archive.end(), firstLive);
  let last: Promise<unknown> = Promise.resolve();

  function mustBeWhole(): void {
    if (problem !== undefined) throw problem;
  }

  return {
    end: archive.end,
    mustBeWhole,

    moveBefore(time, { signal, progress }) {
      const mayGoOn = (): void => {
        stopping.signal.throwIfAborted();
        signal.throwIfAborted();
      };
      const moving = last.then(() => {
        mustBeWhole();
        return moveToArchive(storage, time, head(), { mayGoOn, progress });
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

function gapAfter(end: Position, firstLive: Position | undefined): LogDamaged | undefined {
  if (firstLive === undefined && end > START)
    return new LogDamaged((end + 1) as Position, 'all events after those that are archived are missing');
  if (firstLive === undefined || firstLive <= end + 1) return undefined;
  return new LogDamaged(
    (end + 1) as Position,
    `the events up to position ${firstLive - 1} are neither in the archive nor in the live log; an archive file is missing`,
  );
}

interface MoveWatch {
  /** Throws when it is time to stop. */
  readonly mayGoOn: () => void;
  readonly progress: ArchiveWatch['progress'];
}

/** Moves the groups all of whose events were recorded before `time`, but for the newest, and what was appended after `head`. */
async function moveToArchive(
  storage: Storage,
  time: number,
  head: Position,
  { mayGoOn, progress }: MoveWatch,
): Promise<Moved> {
  const { db, archive } = storage;
  await finishDropping(storage);
  const begin = archive.end();
  const moved = { files: [] as string[], textBytes: 0, archivedBytes: 0 };
  for (;;) {
    const stretch = await archive.write(oneStretch(oldGroups(db, archive.end(), head, time), { mayGoOn, progress }));
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
    await freeRoom(db, end);
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
  const groups = db.iterator(groupsBetween(next as Position, head));
  try {
    for (;;) {
      const entries = await groups.nextv(GROUPS_AT_ONCE);
      if (entries.length === 0) return;
      for (const [key, group] of entries) {
        if (held !== undefined) yield held;
        if (positionOfGroup(key) !== next)
          throw new LogDamaged(next as Position, `the events up to position ${positionOfGroup(key) - 1} are missing`);
        held = eventsOf(key, group);
        if (held.some(({ recordedAt }) => recordedAt >= time)) return;
        next += held.length;
      }
    }
  } finally {
    await groups.close();
  }
}

async function* oneStretch(
  groups: AsyncIterable<readonly RecordedEvent[]>,
  { mayGoOn, progress }: MoveWatch,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  let records = 0;
  for await (const events of groups) {
    mayGoOn();
    records += events.length;
    if (records > STRETCH_RECORDS) return;
    yield events;
    progress({ step: 'compressed', position: events.at(-1)?.position ?? START });
  }
}

/** Whether an earlier archiving was interrupted before all that it moved was dropped. */
async function hasArchivedGroups({ db, archive }: Pick<Storage, 'db' | 'archive'>): Promise<boolean> {
  return (await db.keys({ ...groupsBetween(START, archive.end()), limit: 1 }).all()).length > 0;
}

/**
 * Drops what is archived: a group and what the index says of it in one write, so that the groups that
 * are left say what is left to do. Not synced: what a crash brings back is dropped at the next opening.
 */
async function dropArchived(
  { db, archive, isNeverReused }: Storage,
  dropped: (position: Position) => void,
): Promise<void> {
  const groups = db.iterator(groupsBetween(START, archive.end()));
  try {
    for (;;) {
      const entries = await groups.nextv(GROUPS_AT_ONCE);
      if (entries.length === 0) return;
      const batch = db.batch();
      let last: Position = START;
      for (const [key, group] of entries) {
        batch.del(key);
        for (const { stream, revision, position } of eventsOf(key, group)) {
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
export async function finishDropping(storage: Storage): Promise<void> {
  if (!(await hasArchivedGroups(storage))) return;
  await dropArchived(storage, () => {});
  await freeRoom(storage.db, storage.archive.end());
}

/** What LevelDB has on Node, and its typings for every platform leave out. */
interface Compacting {
  compactRange(start: string, end: string): Promise<void>;
}

async function freeRoom(db: Level, end: Position): Promise<void> {
  const compacting = db as unknown as Compacting;
  await compacting.compactRange(groupKey(START), groupKey(end));
  await compacting.compactRange(appendKeys.gte, appendKeys.lt);
}

function eventsOf(key: string, group: string): readonly RecordedEvent[] {
  const first = positionOfGroup(key);
  return recordsOf(group).map((record, at) => decodeRecord(record, (first + at) as Position));
}
