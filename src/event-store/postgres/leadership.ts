import { setTimeout as delay } from 'node:timers/promises';
import { openPrepared, type Connection } from '../../platform/postgres/connect.ts';
import { createLink } from './link.ts';

/** Elects one node for the work that only one node should do at a time. */
export interface Leadership {
  /** Reports whether this node is the leader. Returns false as soon as the connection that held the lock has ended. */
  isLeader(): boolean;
  /**
   * Returns the connection whose session competes for the lock or holds it.
   * @throws LogUnreachable if the database is not responding
   */
  connection(): Promise<Connection>;
  /** Gives up `connection`, because a statement on it failed. */
  reset(connection: Connection): void;
  /** Begins to compete for the lock. */
  start(): void;
  /** Gives up the lock. */
  close(): void;
}

export interface LeadershipDeps {
  readonly open: (settings: Readonly<Record<string, string>>) => Promise<Connection>;
  /** Prepares a new connection. */
  readonly attach: (connection: Connection) => Promise<void>;
  /** Called about once a second while connected. */
  readonly onBeat: (connection: Connection) => Promise<void>;
}

const LEADER_LOCK = 7_526_014_302;

const INTERVAL_MILLISECONDS = 1_000;

/** After losing its connection, a leader lets the other nodes compete first. */
const BEATS_BEFORE_COMPETING_AGAIN = 3;

/**
 * How many milliseconds a session may be idle before the database ends it. This releases the lock held by a leader that
 * is frozen or cut off.
 */
const SESSION_SETTINGS = { idle_session_timeout: '5000' };

/**
 * The leader is the node whose session holds an advisory lock. A node that was cut off may believe for a few seconds
 * that it is still the leader. Leadership therefore only decides which node does the work; the database itself refuses
 * data that must not be stored twice.
 */
export function createLeadership({ open, attach, onBeat }: LeadershipDeps): Leadership {
  const link = createLink(() => openPrepared(() => open(SESSION_SETTINGS), attach));
  const stopController = new AbortController();
  let leaderConnection: Connection | undefined;
  let beatsToWait = 0;

  async function compete(connection: Connection): Promise<void> {
    if (beatsToWait > 0) {
      beatsToWait -= 1;
      return;
    }
    const text = 'select pg_try_advisory_lock($1) as acquired';
    const [row] = await connection.query<{ acquired: boolean }>({ name: 'lead', text, values: [LEADER_LOCK] });
    if (row?.acquired !== true) return;
    leaderConnection = connection;
    void endLeadershipWith(connection);
  }

  async function endLeadershipWith(connection: Connection): Promise<void> {
    await connection.ended;
    if (leaderConnection !== connection) return;
    leaderConnection = undefined;
    beatsToWait = BEATS_BEFORE_COMPETING_AGAIN;
  }

  async function beat(): Promise<void> {
    const connection = await link.connection();
    try {
      if (leaderConnection !== connection) await compete(connection);
      await onBeat(connection);
    } catch (error) {
      link.reset(connection);
      throw error;
    }
  }

  async function run(): Promise<void> {
    while (!stopController.signal.aborted) {
      await beat().catch(() => {}); // the next beat tries again
      await delay(INTERVAL_MILLISECONDS, undefined, { signal: stopController.signal, ref: false }).catch(() => {});
    }
  }

  return {
    isLeader: () => leaderConnection !== undefined,
    connection: link.connection,
    reset: link.reset,
    start: () => void run(),
    close() {
      stopController.abort();
      link.close();
      leaderConnection = undefined;
    },
  };
}
