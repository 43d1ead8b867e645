import { LogDamaged, START } from '../event-log.ts';
import type { Position, RecordedEvent } from '../event-log.ts';
import { openPrepared, type Connection } from '../../platform/postgres/connect.ts';
import { LogUnreachable } from '../log-unreachable.ts';
import type { Feed } from './feed.ts';
import { createLink } from './link.ts';
import { decodeInOrder, eventsAfterStatement, follows, type EventRow } from './reader.ts';
import type { SharedArchive } from './shared-archive.ts';

/** Follows the events of other nodes, through notifications and by reading the head. */
export interface Tail {
  /**
   * Reads the first events after `after` up to `upTo`, in one batch.
   * @throws LogDamaged if one is missing or unreadable
   */
  fetch(after: Position, upTo: Position): Promise<readonly RecordedEvent[]>;
  /**
   * Resolves when every event that was durable when this was called has been delivered.
   * @throws LogUnreachable if it does not resolve within three seconds
   */
  catchUp(): Promise<void>;
  /** Connects, and reconnects after failures. */
  start(): Promise<void>;
  reconnects(): number;
  close(): void;
}

export interface TailDeps {
  readonly open: () => Promise<Connection>;
  /** Prepares a new connection for other notifications. */
  readonly attach: (connection: Connection) => Promise<void>;
  /** Called only after `start`, because creating the feed needs this tail's `fetch`. */
  readonly feed: () => Feed;
  /** Returns the record of the last delivered event, or undefined if that is unknown. */
  readonly lastRecord: () => string | undefined;
  /** The archive of the events that were removed from the database. */
  readonly archive: Pick<SharedArchive, 'firstBatch'>;
  readonly onFailure: (cause: Error) => void;
}

const NOTIFICATIONS = 'grantlog';

/** The largest batch to fetch, so that one delivery does not occupy the event loop for long. */
const BATCH_EVENTS = 1_000;

/** The longest time that a request waits for this node to catch up. */
const CATCH_UP_DEADLINE_MILLISECONDS = 3_000;

export function createTail({ open, attach, feed, lastRecord, archive, onFailure }: TailDeps): Tail {
  const link = createLink(openTail, () => void reconnect());
  /** A head query that has not been sent yet. Calls during a query share the next one. */
  let nextHead: Promise<Position> | undefined;
  let currentQuery: Promise<unknown> = Promise.resolve();

  /** Starts to listen before it reads the head, because earlier notifications may have been missed. */
  async function prepare(connection: Connection): Promise<void> {
    await connection.listen(NOTIFICATIONS, (payload) => feed().extend(Number(payload) as Position));
    await attach(connection);
    await assertSameLog(connection);
    feed().extend(await readHead(connection));
  }

  async function openTail(): Promise<Connection> {
    try {
      return await openPrepared(open, prepare);
    } catch (error) {
      if (error instanceof LogDamaged) onFailure(error);
      throw error;
    }
  }

  /**
   * After a failover or a restored backup, the database may lack events that this node has delivered. In that case, the
   * node must stop, because other nodes will assign those positions again.
   */
  async function assertSameLog(connection: Connection): Promise<void> {
    const position = feed().head();
    const record = lastRecord();
    if (position === START || record === undefined) return;
    const previousPosition = (position - 1) as Position;
    const [row] = await connection.query<EventRow>(eventsAfterStatement(previousPosition, position, 1));
    const [event] = row === undefined ? await archive.firstBatch(previousPosition, position) : [row];
    if (event?.record !== record) throw new HistoryLost(position);
  }

  async function reconnect(): Promise<void> {
    for (;;) {
      const outcome = await link.connection().catch((error: unknown) => error);
      if (!(outcome instanceof LogUnreachable)) return;
    }
  }

  async function query<Result>(run: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await link.connection();
    try {
      return await run(connection);
    } catch (error) {
      if (error instanceof LogDamaged) throw error;
      link.reset(connection);
      throw new LogUnreachable('the database is not responding', { cause: error });
    }
  }

  function readSharedHead(): Promise<Position> {
    nextHead ??= currentQuery.then(() => {
      nextHead = undefined;
      const headQuery = query(readHead);
      currentQuery = headQuery.catch(() => {});
      return headQuery;
    });
    return nextHead;
  }

  async function reachSharedHead(): Promise<void> {
    const head = await readSharedHead();
    feed().extend(head);
    await feed().waitFor(head, CATCH_UP_DEADLINE_MILLISECONDS);
  }

  return {
    async fetch(after, upTo) {
      const events = await query(async (connection) => {
        const rows = await connection.query<EventRow>(eventsAfterStatement(after, upTo, BATCH_EVENTS));
        return follows(rows, after) ? decodeInOrder(rows, after) : undefined;
      });
      return events ?? archive.firstBatch(after, upTo);
    },
    async catchUp() {
      let timeout: NodeJS.Timeout | undefined;
      const timeoutPromise = new Promise<never>((_, reject) => {
        const error = new LogUnreachable('the database did not respond in time');
        timeout = setTimeout(() => reject(error), CATCH_UP_DEADLINE_MILLISECONDS);
      });
      try {
        await Promise.race([reachSharedHead(), timeoutPromise]);
      } finally {
        clearTimeout(timeout);
      }
    },
    start: async () => void (await link.connection()),
    reconnects: link.reconnects,
    close: link.close,
  };
}

/** The database is not the one that this node followed. */
class HistoryLost extends LogDamaged {
  constructor(position: Position) {
    super(position, 'this node has the event');
    this.message =
      `the database has lost or replaced the event at position ${position}, which this node has: it was restored to ` +
      'an earlier point, or is a standby that lacked the newest events. Set GRANTLOG_LOG to the database that has ' +
      'it, and see docs/operations.md, recover to a point in time';
  }
}

export async function readHead(connection: Connection): Promise<Position> {
  const [row] = await connection.query<{ position: Position }>({
    name: 'head',
    text: 'select position from grantlog.head',
  });
  return row?.position ?? START;
}
