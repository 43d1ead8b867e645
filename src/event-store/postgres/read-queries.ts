import { isServerRejection, type Connection, type Statement } from '../../platform/postgres/connect.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import { LogUnreachable } from '../log-unreachable.ts';
import { createLink, type Link } from './link.ts';

/** Runs read-only statements on separate connections. */
export interface ReadQueries {
  /**
   * Returns the rows of a statement.
   * @throws LogUnreachable if the database is not responding
   */
  query<Row extends object>(statement: Statement): Promise<readonly Row[]>;
  close(): void;
}

/** The number of connections that a node uses for reading. */
const CONNECTIONS = 4;
const MAX_PENDING_READS = 10_000;

/** The maximum number of attempts for a read whose connection fails. Repeating a read is safe. */
const MAX_ATTEMPTS = 3;

export function createReadQueries(open: () => Promise<Connection>): ReadQueries {
  const idleLinks: Link[] = Array.from({ length: CONNECTIONS }, () => createLink(open));
  const allLinks = [...idleLinks];
  const semaphore = createSemaphore(CONNECTIONS, { maxPending: MAX_PENDING_READS });

  return {
    query: <Row extends object>(statement: Statement) =>
      semaphore.run(async () => {
        const link = idleLinks.pop() as Link; // the semaphore has a permit for each link
        try {
          return await queryOn<Row>(link, statement);
        } finally {
          idleLinks.push(link);
        }
      }),
    close() {
      for (const link of allLinks) link.close();
    },
  };
}

async function queryOn<Row extends object>(link: Link, statement: Statement): Promise<readonly Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    const connection = await link.connection();
    try {
      return await connection.query<Row>(statement);
    } catch (error) {
      if (isServerRejection(error)) throw error;
      link.reset(connection);
      if (attempt === MAX_ATTEMPTS) throw new LogUnreachable('the database is not responding', { cause: error });
    }
  }
}
