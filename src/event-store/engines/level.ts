import type { Level } from 'level';
import { DecisionOutdated, isExpected, LogUnavailable, START, WrongExpectedRevision } from '../event-log.ts';
import type {
  AppendResult,
  EventLog,
  EventToAppend,
  Position,
  RecordedEvent,
  Revision,
  ObservedRevision,
  StreamName,
} from '../event-log.ts';
import { recordEvent } from '../record.ts';
import { NO_ARCHIVE, openArchive } from '../archive/archive.ts';
import { createGroupCommit, type CommitObserver } from './group-commit.ts';
import { createLevelArchive, finishDropping, type IsNeverReused } from './level-archiving.ts';
import { encodeAppends } from './level-layout.ts';
import type { Put } from './level-layout.ts';
import { checkTables } from './level-table-check.ts';
import { checkStreamIndex, type IndexCheckDeps } from './level-index-check.ts';
import type { KnownEvents } from './level-end.ts';
import { toDamageError, openDatabase, withDamageErrors } from './level-open.ts';
import { createLevelReader } from './level-reader.ts';
import { createStreamHeads } from './stream-heads.ts';
import type { Head } from './stream-heads.ts';
import { createSubscriptions } from './subscriptions.ts';

/** Configures the archive of a log. */
export interface LevelArchiving {
  readonly directory: string;
  readonly isNeverReused: IsNeverReused;
}

export interface LevelLogDeps {
  readonly location: string;
  readonly archiving?: LevelArchiving;
  readonly observer?: CommitObserver | undefined;
  /** Evidence of acknowledged events, checked before LevelDB changes any file. */
  readonly knownEvents?: KnownEvents | undefined;
}

/**
 * Opens the log in the directory `location`, and creates it with access only for its owner if it does not exist.
 * Without `archiving`, the log has no archive.
 * @throws LogLocked if another process has it open
 * @throws LogDamaged if the stored log is damaged
 */
export async function openLevelLog({ location, archiving, observer, knownEvents }: LevelLogDeps): Promise<EventLog> {
  const db = await openDatabase(location, knownEvents);
  try {
    return await createLevelLog(db, archiving, observer);
  } catch (error) {
    await db.close(); // otherwise it stays locked
    throw toDamageError(error);
  }
}

/** Few enough to look up without blocking the event loop for long. */
const EVENTS_PER_INDEX_CHECK = 512;

const NO_DEPENDENCIES: readonly ObservedRevision[] = [];

/** Writes all of `puts` durably, or none of them. A chained batch passes them to LevelDB without copying each entry. */
function writeSynced(db: Level, puts: readonly Put[]): Promise<void> {
  const batch = db.batch();
  for (const { key, value } of puts) batch.put(key, value);
  return batch.write({ sync: true });
}

interface StreamAppend {
  readonly stream: StreamName;
  readonly after: Head;
  readonly events: readonly EventToAppend[];
}

const hasEvents = ({ events }: ObservedRevision): boolean => events !== undefined;

function toStreamAppends({ stream, revision: after, events }: ObservedRevision): readonly StreamAppend[] {
  return events === undefined ? [] : [{ stream, after, events }];
}

/** Records events at the revisions after `revision` and the positions after `position`. */
function recordEvents(
  stream: StreamName,
  revision: Head,
  position: number,
  events: readonly EventToAppend[],
): readonly RecordedEvent[] {
  return events.map((event, index) =>
    recordEvent(stream, (revision + index + 1) as Revision, (position + index + 1) as Position, event),
  );
}

/** Creates a log in the open database `db`, which nothing else may use. Closing the log closes the database. */
export async function createLevelLog(
  db: Level,
  archiving?: LevelArchiving,
  observer?: CommitObserver,
): Promise<EventLog> {
  const storage = archiving && {
    db,
    archive: await openArchive(archiving.directory),
    isNeverReused: archiving.isNeverReused,
  };
  if (storage !== undefined) await finishDropping(storage);
  const reader = createLevelReader(db, storage?.archive ?? NO_ARCHIVE, archiving?.isNeverReused ?? (() => false));
  const archive = storage && createLevelArchive(storage, { head: () => head, firstLive: await reader.firstLive() });
  const heads = createStreamHeads(reader);
  let head = await reader.lastPosition();
  let lastAdmitted: number = head;
  let closePromise: Promise<void> | undefined;
  let listener: ((events: readonly RecordedEvent[]) => void) | undefined;
  let reportFailure: (cause: Error) => void;
  const failed = new Promise<Error>((resolve) => (reportFailure = resolve));

  const readAll: EventLog['readAll'] = (after, maxEvents) =>
    withDamageErrors(reader.readBetween(after, head, maxEvents), after);
  const subscriptions = createSubscriptions({ readAll, head: () => head });
  const commits = createGroupCommit({
    observer,
    write: (appends) => writeSynced(db, encodeAppends(appends)),
    deliver(events) {
      for (const [index, { stream, revision, position }] of events.entries()) {
        if (events[index + 1]?.stream !== stream) heads.settle(stream, revision); // once per append and stream
        head = position;
      }
      listener?.(events);
      subscriptions.wake();
    },
    onFailure(failure, cause) {
      reportFailure(cause);
      subscriptions.fail(failure);
    },
  });

  function assertAvailable(): void {
    if (commits.failure !== undefined) throw commits.failure;
    if (closePromise !== undefined) throw new LogUnavailable('the log is closed');
    archive?.assertComplete(); // new positions continue from the stored ones
  }

  const headOf = ({ stream, revision }: ObservedRevision): Head | undefined => heads.findDependency(stream, revision);
  const hasChanged = (dependency: ObservedRevision): boolean => headOf(dependency) !== dependency.revision;

  /** Synchronous, so that no other append can come between checking the revisions and assigning the positions. */
  function admit(stream: StreamName, after: Head, events: readonly EventToAppend[]): Promise<AppendResult> {
    const recordedEvents = recordEvents(stream, after, lastAdmitted, events);
    lastAdmitted += recordedEvents.length;
    const result = commits.commit(recordedEvents);
    heads.admit(stream, { head: (after + recordedEvents.length) as Revision, result });
    return result;
  }

  /** Like `admit`, for several streams in one commit, which is written completely or not at all. */
  async function admitTogether(appends: readonly [StreamAppend, ...StreamAppend[]]): Promise<AppendResult> {
    const recordedEvents: RecordedEvent[] = [];
    for (const { stream, after, events } of appends)
      recordedEvents.push(...recordEvents(stream, after, lastAdmitted + recordedEvents.length, events));
    lastAdmitted += recordedEvents.length;
    const result = commits.commit(recordedEvents);
    const headAfter = ({ after, events }: StreamAppend): Revision => (after + events.length) as Revision;
    for (const append of appends) heads.admit(append.stream, { head: headAfter(append), result });
    return { revision: headAfter(appends[0]), position: (await result).position };
  }

  async function finish(): Promise<void> {
    await archive?.stop();
    await commits.idle();
    await subscriptions.close();
    await db.close();
  }

  return {
    failed,
    head: () => head,
    readAll,
    readBackwards: (from) => reader.readBackwards(Math.min(from, head) as Position),
    readStream: (stream, from) => reader.readStream(stream, head, from),
    async *readStreamBackwards(stream, from) {
      let isFirstPage = from === undefined;
      for await (const events of reader.readStreamBackwards(stream, head, from)) {
        if (isFirstPage && events[0] !== undefined) heads.observe(stream, events[0].revision);
        isFirstPage = false;
        yield events;
      }
    },
    subscribe: subscriptions.subscribe,
    ...(archive && { archive }),
    checkFiles: (signal, pace = async () => {}) => checkTables({ db, head, signal, pace }),
    checkIndex(signal, pace) {
      const archiveEndAtStart = archive?.end() ?? START;
      const isIndexed: IndexCheckDeps['isIndexed'] = ({ stream, position }) =>
        position > archiveEndAtStart || archiving?.isNeverReused(stream) !== true;
      const archiveEnd = (): Position => archive?.end() ?? START;
      const deps = { db, head, archiveEnd, readAll: () => readAll(START, EVENTS_PER_INDEX_CHECK), isIndexed };
      return checkStreamIndex(deps, signal, pace);
    },
    onAppended(newListener) {
      listener = newListener;
    },

    async append(stream, expected, events, basedOn = NO_DEPENDENCIES, onAdmitted) {
      if (events.length === 0) throw new RangeError('an append needs at least one event');
      assertAvailable();
      let actualRevision = heads.find(stream, expected);
      let changedDependency = basedOn.find(hasChanged);
      while (
        actualRevision === undefined ||
        (changedDependency !== undefined && headOf(changedDependency) === undefined)
      ) {
        const streamToLoad =
          actualRevision === undefined || changedDependency === undefined ? stream : changedDependency.stream;
        await heads.load(streamToLoad).finally(assertAvailable); // closing interrupts a lookup
        actualRevision = heads.find(stream, expected);
        changedDependency = basedOn.find(hasChanged);
      }
      if (changedDependency !== undefined) {
        await heads.findPending(changedDependency.stream)?.result;
        throw new DecisionOutdated(changedDependency.stream);
      }
      const revision = actualRevision === 0 ? 'no-stream' : actualRevision;
      if (isExpected(revision, expected)) {
        const result = basedOn.some(hasEvents)
          ? admitTogether([{ stream, after: actualRevision, events }, ...basedOn.flatMap(toStreamAppends)])
          : admit(stream, actualRevision, events);
        onAdmitted?.();
        return await result; // without `await`, the result would settle two microtasks later
      }
      await heads.findPending(stream)?.result;
      throw new WrongExpectedRevision(stream, expected, revision);
    },

    close() {
      closePromise ??= finish();
      return closePromise;
    },
  };
}
