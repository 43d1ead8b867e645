import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '../../platform/postgres/connect.ts';
import type { Position } from '../event-log.ts';
import type { Feed } from './feed.ts';
import { createLink } from './link.ts';
import type { SharedArchive } from './shared-archive.ts';

/** Reports this node to the other nodes, and measures how current it is. */
export interface Heartbeat {
  /** See `SharedLog.lastCurrentAt`. */
  lastCurrentAt(): number;
  /** See `SharedLog.clockOffset`. */
  clockOffset(): number;
  reconnects(): number;
  /** Tells the other nodes that this node has stopped, if the database responds. */
  close(): Promise<void>;
}

export interface HeartbeatDeps {
  readonly open: () => Promise<Connection>;
  readonly feed: Feed;
  readonly node: NodeIdentity;
  readonly archive: Pick<SharedArchive, 'end' | 'files' | 'refresh'>;
  readonly ticks: () => number;
  /** Milliseconds since the epoch, according to this node's own clock. */
  readonly now: () => number;
  /** The time between two heartbeats. */
  readonly intervalMilliseconds?: number | undefined;
}

export interface NodeIdentity {
  /** A UUID, new at each startup. */
  readonly id: string;
  readonly release: string;
  /** The name of the machine. */
  readonly host: string;
  readonly processId: number;
}

const INTERVAL_MILLISECONDS = 400;

/** A node that takes longer to read the missing events is not current. */
const CATCH_UP_TIMEOUT_MILLISECONDS = 1_000;

/** The number of recent clock samples to keep. The one with the shortest round trip determines the offset. */
const CLOCK_SAMPLES = 16;

interface ClockSample {
  readonly offset: number;
  readonly roundTrip: number;
}

/**
 * Starts a heartbeat that writes to the database several times a second. Reading is not enough: a primary that was
 * replaced can still serve reads, but without its standbys it cannot commit. Without synchronous replication, such a
 * primary is not detected.
 * @throws Error if the first heartbeat failed; no connection is left open
 */
export async function startHeartbeat(deps: HeartbeatDeps): Promise<Heartbeat> {
  const { open, feed, node, archive, ticks, now, intervalMilliseconds = INTERVAL_MILLISECONDS } = deps;
  const link = createLink(open);
  const stopController = new AbortController();
  let lastCurrentAt = -Infinity;
  let samples: readonly ClockSample[] = [];

  /** Events are removed only after every node has reported that it can read the archive up to them. */
  const archivedUpTo = (): Position | null => (archive.files === undefined ? null : archive.end());

  async function beat(): Promise<void> {
    const connection = await link.connection();
    const sentAt = ticks();
    const wallClock = now();
    const [row] = await connection
      .query<{ head: Position; epoch_milliseconds: number; archive_end: Position }>({
        name: 'beat',
        text: 'select head, epoch_milliseconds, archive_end from grantlog.report_node($1, $2, $3, $4, $5, $6)',
        values: [node.id, node.release, feed.head(), node.host, node.processId, archivedUpTo()],
      })
      .catch((error: unknown) => {
        link.reset(connection);
        throw error;
      });
    if (row === undefined) return;
    const roundTrip = ticks() - sentAt;
    const offset = row.epoch_milliseconds - (wallClock + roundTrip / 2);
    samples = [...samples, { offset, roundTrip }].slice(-CLOCK_SAMPLES);
    if (row.archive_end > archive.end()) void archive.refresh().catch(() => {}); // the next beat tries again
    feed.extend(row.head);
    await feed.waitFor(row.head, CATCH_UP_TIMEOUT_MILLISECONDS);
    lastCurrentAt = sentAt;
  }

  async function run(): Promise<void> {
    while (!stopController.signal.aborted) {
      await delay(intervalMilliseconds, undefined, { signal: stopController.signal, ref: false }).catch(() => {});
      if (!stopController.signal.aborted) await beat().catch(() => {}); // `lastCurrentAt` shows the failure
    }
  }

  await beat().catch((error: unknown) => {
    link.close();
    throw error;
  });
  void run();
  return {
    lastCurrentAt: () => lastCurrentAt,
    clockOffset: () =>
      samples.reduce((best, sample) => (sample.roundTrip < best.roundTrip ? sample : best), NO_SAMPLE).offset,
    reconnects: link.reconnects,
    async close() {
      stopController.abort();
      const connection = await link.connection().catch(() => undefined);
      await connection?.query({ text: 'delete from grantlog.nodes where id = $1', values: [node.id] }).catch(() => {});
      link.close();
    },
  };
}

const NO_SAMPLE: ClockSample = { offset: 0, roundTrip: Infinity };
