import { setTimeout as delay } from 'node:timers/promises';
import { LogUnreachable } from '../log-unreachable.ts';
import { LogUnavailable } from '../event-log.ts';
import type { Connection } from '../../platform/postgres/connect.ts';

/** Provides a connection to the primary, and opens a new one after a failure. */
export interface Link {
  /**
   * Returns the open connection, opening one if necessary. Concurrent callers share the attempt. After repeated
   * failures, the next attempt waits for up to half a second.
   * @throws LogUnreachable if no host is a primary
   * @throws LogUnavailable if the link is closed
   */
  connection(): Promise<Connection>;
  /** Gives up `connection`, because a statement on it failed. */
  reset(connection: Connection): void;
  /** Returns the number of times that the connection was reopened. */
  reconnects(): number;
  close(): void;
}

const MAX_PAUSE_MILLISECONDS = 500;

/**
 * Creates a link. No connection is opened until one is requested.
 * @param open opens a connection and prepares it, for example by checking the database
 * @param onLost called when an open connection has failed
 */
export function createLink(open: () => Promise<Connection>, onLost: () => void = () => {}): Link {
  let pendingConnection: Promise<Connection> | undefined;
  let currentConnection: Connection | undefined;
  let failures = 0;
  let connectionCount = 0;
  let isClosed = false;

  async function openNext(): Promise<Connection> {
    // The first attempt after a failure is immediate, because the database may merely have dropped the connection.
    if (failures > 1) await delay(Math.min(MAX_PAUSE_MILLISECONDS, 10 * 2 ** failures));
    assertOpen();
    const connection = await open();
    if (isClosed) connection.destroy();
    assertOpen();
    failures = 0;
    connectionCount += 1;
    currentConnection = connection;
    void dropWhenEnded(connection);
    return connection;
  }

  async function tryOpen(): Promise<Connection> {
    try {
      return await openNext();
    } catch (error) {
      failures += 1;
      if (error instanceof LogUnavailable) throw error;
      throw new LogUnreachable('the database cannot be reached', { cause: error });
    } finally {
      pendingConnection = undefined;
    }
  }

  async function dropWhenEnded(connection: Connection): Promise<void> {
    await connection.ended;
    if (currentConnection === connection) dropConnection();
  }

  function dropConnection(): void {
    currentConnection?.destroy();
    currentConnection = undefined;
    failures += 1;
    if (!isClosed) onLost();
  }

  function assertOpen(): void {
    if (isClosed) throw new LogUnavailable('the log is closed');
  }

  return {
    async connection() {
      assertOpen();
      return currentConnection ?? (pendingConnection ??= tryOpen());
    },
    reset(connection) {
      if (currentConnection === connection) dropConnection();
    },
    reconnects: () => Math.max(0, connectionCount - 1),
    close() {
      isClosed = true;
      currentConnection?.destroy();
    },
  };
}
