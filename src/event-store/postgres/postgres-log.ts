import { LogUnavailable } from '../event-log.ts';
import type { EventLog, Position, RecordedEvent } from '../event-log.ts';
import { connectPrimary, withConnection, type Connection } from '../../platform/postgres/connect.ts';
import type { PostgresAddress } from '../../platform/postgres/connection-url.ts';
import type { CommitObserver } from '../engines/group-commit.ts';
import { createSubscriptions } from '../engines/subscriptions.ts';
import { createPostgresArchive, sleep, type Pause } from './archiving.ts';
import { declareEventTypes, type EventType } from './event-types.ts';
import { createFeed } from './feed.ts';
import { startHeartbeat, type Heartbeat, type NodeIdentity } from './heartbeat.ts';
import { createLink } from './link.ts';
import { createNotifications } from './notifications.ts';
import { assertSchema } from './migrate.ts';
import { createReadQueries } from './read-queries.ts';
import { createReader } from './reader.ts';
import { openSharedArchive } from './shared-archive.ts';
import { createTail, readHead } from './tail.ts';
import { createWriter } from './writer.ts';

export interface PostgresLogDeps {
  readonly address: PostgresAddress;
  readonly node: NodeIdentity;
  /** Returns a unique id for an append, so that a retry can be recognized. */
  readonly mintAppendId: () => string;
  /** Returns the monotonic time in milliseconds. */
  readonly ticks: () => number;
  /** Returns the time in milliseconds since the epoch, according to this node's own clock. */
  readonly now: () => number;
  readonly observer?: CommitObserver | undefined;
  /**
   * Called with events from other nodes before they are delivered. If it rejects with `LogUnreachable`, they are
   * delivered later. After any other rejection, the log fails.
   */
  readonly prepare?: (events: readonly RecordedEvent[]) => Promise<void>;
  /** The directory of the archive, which all nodes share, or undefined if none is configured. */
  readonly archiveDirectory?: string | undefined;
  /** Resolves after a number of milliseconds, or rejects when it is aborted. Tests shorten it. */
  readonly pause?: Pause;
  /** The interval between heartbeats. Tests shorten it. */
  readonly heartbeatMilliseconds?: number;
  /** The event types, with their versions, that this release writes. */
  readonly eventTypes: readonly EventType[];
}

/** The time limit of a statement. A frozen primary cannot be told from a busy one, so a slow statement fails. */
const STATEMENT_TIMEOUT_MILLISECONDS = 4_000;

/** Removing a batch of events may wait for a database checkpoint. */
const ARCHIVE_TIMEOUT_MILLISECONDS = 60_000;

/**
 * Opens the log in a PostgreSQL database, which other nodes may use at the same time. Uses one connection each for
 * appending, for following the other nodes and for the heartbeat, and up to four for reading.
 * @throws WrongSchema if the schema is missing, or does not have the version that this release needs
 * @throws LogUnreachable if no host is a primary
 */
export async function openPostgresLog(deps: PostgresLogDeps): Promise<EventLog> {
  const { address, node, ticks, now, eventTypes, archiveDirectory: directory, pause = sleep } = deps;
  const open = (purpose: string, settings = {}): Promise<Connection> =>
    connectPrimary(address, { purpose, timeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS, settings });
  const from = await joinLog(() => open('start'), node.release, eventTypes);
  const { query, close: closeQueries } = createReadQueries(() => open('read', NO_SEQUENTIAL_SCANS));
  const segments = await openSharedArchive({ query, directory, tag: node.id }).catch((error: unknown) => {
    closeQueries();
    throw error;
  });

  let listener: ((events: readonly RecordedEvent[]) => void) | undefined;
  let lastRecord: string | undefined;
  let failure: LogUnavailable | undefined;
  let closePromise: Promise<void> | undefined;
  let reportFailure: (cause: Error) => void;
  const failed = new Promise<Error>((resolve) => (reportFailure = resolve));

  function fail(cause: Error): void {
    if (failure !== undefined) return;
    failure = new LogUnavailable('the log has failed', { cause });
    feed.fail(failure);
    tail.close();
    reportFailure(cause);
    subscriptions.fail(failure);
  }

  function deliver(events: readonly RecordedEvent[]): void {
    lastRecord = events.at(-1)?.record;
    listener?.(events);
    subscriptions.wake();
  }

  async function fetch(after: Position, upTo: Position): Promise<readonly RecordedEvent[]> {
    const events = await tail.fetch(after, upTo);
    await deps.prepare?.(events);
    return events;
  }

  const reader = createReader(query, segments);
  const archive = createPostgresArchive({
    node,
    pause,
    open: () =>
      connectPrimary(address, {
        purpose: 'archive',
        timeoutMilliseconds: ARCHIVE_TIMEOUT_MILLISECONDS,
        settings: NO_SEQUENTIAL_SCANS,
      }),
    segments,
    readBetween: reader.readBetween,
  });
  const notifications = createNotifications(node.id);
  const tail = createTail({
    open: () => open('tail'),
    attach: notifications.attach,
    feed: () => feed,
    lastRecord: () => lastRecord,
    archive: segments,
    onFailure: fail,
  });
  const feed = createFeed({ from, fetch, deliver, onFailure: fail });
  const readAll: EventLog['readAll'] = (after, maxEvents) => reader.readBetween(after, feed.head(), maxEvents);
  const subscriptions = createSubscriptions({ readAll, head: feed.head });
  const writerLink = createLink(() => open('append', NO_SEQUENTIAL_SCANS));
  const writer = createWriter({ ...deps, link: writerLink, feed });
  const heartbeat = await start().catch((error: unknown) => {
    disconnect();
    throw error;
  });

  async function start(): Promise<Heartbeat> {
    await tail.start();
    return startHeartbeat({
      open: () => open('heartbeat'),
      feed,
      node,
      archive: segments,
      ticks,
      now,
      intervalMilliseconds: deps.heartbeatMilliseconds,
    });
  }

  function disconnect(): void {
    notifications.close();
    tail.close();
    writerLink.close();
    closeQueries();
    feed.fail(new LogUnavailable('the log is closed'));
  }

  function assertAvailable(): void {
    if (failure !== undefined) throw failure;
    if (closePromise !== undefined) throw new LogUnavailable('the log is closed');
  }

  async function finish(): Promise<void> {
    await archive.stop();
    await writer.idle();
    await subscriptions.close();
    await heartbeat.close();
    disconnect();
  }

  return {
    failed,
    head: feed.head,
    readAll,
    readBackwards: (position) => reader.readBackwards(Math.min(position, feed.head()) as Position),
    readStream: reader.readStream,
    readStreamBackwards: reader.readStreamBackwards,
    subscribe: subscriptions.subscribe,
    archive,
    onAppended(newListener) {
      listener = newListener;
    },
    async append(stream, expected, events, basedOn = []) {
      if (events.length === 0) throw new RangeError('an append needs at least one event');
      assertAvailable();
      return writer.append(stream, expected, events, basedOn);
    },
    shared: {
      async catchUp() {
        assertAvailable();
        await tail.catchUp();
      },
      lastCurrentAt: heartbeat.lastCurrentAt,
      clockOffset: heartbeat.clockOffset,
      broadcast: notifications,
      counts: () => ({
        reconnects: tail.reconnects() + writerLink.reconnects() + heartbeat.reconnects(),
        unknownOutcomes: writer.unknownOutcomes(),
        missingEvents: feed.missingCount(),
      }),
      isAppliedByAll: reader.isAppliedByAll,
      storedBytes: reader.storedBytes,
      releaseOf: (type, version) => reader.releaseOf({ type, version }),
    },
    close() {
      closePromise ??= finish();
      return closePromise;
    },
  };
}

/** Prevents sequential scans, which the planner would choose if it assumed that a table was small. */
const NO_SEQUENTIAL_SCANS = { enable_seqscan: 'off' };

/**
 * Declares the event types of this release, and returns the head of the log.
 * @throws WrongSchema if the schema does not have the version that this release needs
 */
async function joinLog(
  open: () => Promise<Connection>,
  release: string,
  eventTypes: readonly EventType[],
): Promise<Position> {
  return withConnection(open, async (connection) => {
    await assertSchema(connection);
    await declareEventTypes(connection, release, eventTypes);
    return readHead(connection);
  });
}
