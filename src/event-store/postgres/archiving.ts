import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { formatSeal } from '../archive/seal.ts';
import { MAX_RECORDS_PER_SEGMENT } from '../archive/segment-index.ts';
import { ArchivingRefused, START } from '../event-log.ts';
import type { ArchiveOptions, ArchiveResult, LogArchive, Position, RecordedEvent } from '../event-log.ts';
import { withConnection, type Connection } from '../../platform/postgres/connect.ts';
import {
  lockArchive,
  findUnreadyNode,
  addSegment,
  readOldestPosition,
  releaseArchive,
  removeEvents,
} from './archive-table.ts';
import type { NodeIdentity } from './heartbeat.ts';
import type { Reader } from './reader.ts';
import type { SharedArchive } from './shared-archive.ts';
import { readHead } from './tail.ts';

export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const sleep: Pause = (milliseconds, signal) => delay(milliseconds, undefined, { signal });

export interface PostgresArchiveDeps {
  /** Opens the connection whose session holds the archive lock. */
  readonly open: () => Promise<Connection>;
  readonly node: Pick<NodeIdentity, 'id'>;
  readonly segments: SharedArchive;
  readonly readBetween: Reader['readBetween'];
  readonly pause: Pause;
}

/**
 * An append whose response was lost is retried for up to ten seconds, and is recognized by the row that it stored.
 * Therefore, the rows of recent events are kept.
 */
const SETTLED_MILLISECONDS = 15_000;

/** The number of rows removed in one transaction. */
const BATCH_EVENTS = 2_000;

/** How often to check that all nodes can read a new segment, and the maximum number of checks. */
const POLL_MILLISECONDS = 250;
const MAX_POLLS = 120;

/**
 * Creates the log's archive for one node. A segment is written, read back and sealed, then listed in the database. Its
 * events are removed only after every running node has reported that it finds the files.
 */
export function createPostgresArchive(deps: PostgresArchiveDeps): LogArchive & { stop(): Promise<void> } {
  const { open, segments } = deps;
  const stopController = new AbortController();
  let lastMove: Promise<unknown> = Promise.resolve();

  function assertComplete(): void {
    if (segments.problem !== undefined) throw segments.problem;
  }

  return {
    end: segments.end,
    assertComplete,

    archiveBefore(time, { signal, progress }) {
      const move = lastMove.then(() =>
        withConnection(open, async (connection) => {
          assertComplete();
          const stopSignal = AbortSignal.any([stopController.signal, signal]);
          await lockArchive(connection);
          try {
            return await moveToArchive({ ...deps, connection, stopSignal, progress }, time);
          } finally {
            await releaseArchive(connection).catch(() => {}); // the session may be gone, and its lock with it
          }
        }),
      );
      lastMove = move.catch(() => undefined); // the caller gets the error
      return move;
    },

    check: segments.check,

    /** Stops archiving. Resolves when nothing is being moved. */
    async stop() {
      stopController.abort();
      await lastMove;
    },
  };
}

interface Move extends Omit<PostgresArchiveDeps, 'open'> {
  readonly connection: Connection;
  readonly stopSignal: AbortSignal;
  readonly progress: ArchiveOptions['progress'];
}

const NOTHING_REMOVED = 'no event was removed from the database';
const NOT_REMOVED = 'events that it cannot read were not removed from the database';
const SET_DIRECTORY =
  'Set GRANTLOG_ARCHIVE of every node to a directory that all nodes share, and restart them one after the other';
const CHECK_DIRECTORY =
  'Check that its GRANTLOG_ARCHIVE is the directory that all nodes share, and run the command again';
const NO_DIRECTORY = `a log in PostgreSQL needs a directory for its archive; ${NOTHING_REMOVED}. ${SET_DIRECTORY}`;

/** Moves the events before the first one that was recorded at `time` or later, except the latest event. */
async function moveToArchive(move: Move, time: number): Promise<ArchiveResult> {
  const { segments, connection, stopSignal, pause, progress } = move;
  const { files } = segments;
  if (files === undefined) throw new ArchivingRefused(NO_DIRECTORY);
  await segments.refresh();
  await waitForNodes(move, segments.end());
  const begin = segments.end();
  const head = await readHead(connection);
  const settlePause = pause(SETTLED_MILLISECONDS, stopSignal);
  settlePause.catch(() => {}); // awaited below, if anything is to be removed
  const totals = { files: [] as string[], textBytes: 0, archivedBytes: 0 };
  await removeArchived(move, settlePause); // the events of an interrupted run
  for (;;) {
    const segment = await files.write(readOldEvents(move, { time, newest: head }));
    if (segment === undefined) break;
    const { seal } = segment;
    progress({ step: 'written', position: seal.last });
    stopSignal.throwIfAborted();
    await segment.publish();
    await addSegment(connection, seal, formatSeal(seal));
    files.add(seal); // readable in the archive before its events are removed from the database
    totals.files.push(basename(segment.file));
    totals.textBytes += segment.textBytes;
    totals.archivedBytes += seal.records.bytes + seal.index.bytes;
    progress({ step: 'sealed', position: seal.last });
    await waitForNodes(move, seal.last);
    await removeArchived(move, settlePause);
  }
  return { ...totals, events: segments.end() - begin, end: segments.end() };
}

/** Yields the events of the next segment. */
async function* readOldEvents(
  { segments, readBetween, stopSignal, progress }: Move,
  { time, newest: head }: { readonly time: number; readonly newest: Position },
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  const end = Math.min(segments.end() + MAX_RECORDS_PER_SEGMENT, head - 1) as Position;
  for await (const events of readBetween(segments.end(), end)) {
    stopSignal.throwIfAborted();
    const firstRecentIndex = events.findIndex(({ recordedAt }) => recordedAt >= time);
    const oldBatch = firstRecentIndex === -1 ? events : events.slice(0, firstRecentIndex);
    if (oldBatch.length > 0) yield oldBatch;
    if (firstRecentIndex !== -1) return;
    progress({ step: 'compressed', position: oldBatch.at(-1)?.position ?? START });
  }
}

async function removeArchived(
  { connection, segments, stopSignal, progress }: Move,
  settlePause: Promise<void>,
): Promise<void> {
  const end = segments.end();
  for (let nextPosition = await readOldestPosition(connection); nextPosition <= end; nextPosition += BATCH_EVENTS) {
    await settlePause;
    stopSignal.throwIfAborted();
    const upTo = Math.min(nextPosition + BATCH_EVENTS - 1, end) as Position;
    await removeEvents(connection, upTo);
    progress({ step: 'dropped', position: upTo });
  }
}

/**
 * Resolves when every running node can read the archive up to `end`.
 * @throws ArchivingRefused if a node has no archive it can read, or does not report in time that it finds the files
 */
async function waitForNodes({ connection, node, pause, stopSignal }: Move, end: Position): Promise<void> {
  for (let poll = 1; ; poll += 1) {
    const unreadyNode = await findUnreadyNode(connection, { ownId: node.id, end });
    if (unreadyNode === undefined) return;
    if (!unreadyNode.hasArchive)
      throw new ArchivingRefused(`${unreadyNode.name} has no archive; ${NOT_REMOVED}. ${SET_DIRECTORY}`);
    if (poll === MAX_POLLS)
      throw new ArchivingRefused(
        `${unreadyNode.name} cannot find the archive files up to position ${end}; ${NOT_REMOVED}. ${CHECK_DIRECTORY}`,
      );
    await pause(POLL_MILLISECONDS, stopSignal);
  }
}
