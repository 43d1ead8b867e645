import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { PostgresAddress, PostgresHost } from './connection-url.ts';

/** A connection to a primary. Queries run one at a time. */
export interface Connection {
  /**
   * Runs one statement.
   * @throws PostgresError if the server rejected it; nothing was changed
   * @throws Error if the connection ended or the statement timed out; only another query can tell whether the
   *   statement took effect
   */
  query<Row extends object>(statement: Statement): Promise<readonly Row[]>;
  /** Calls `onNotification` with the payload of each notification on `channel`. */
  listen(channel: string, onNotification: (payload: string) => void): Promise<void>;
  /** Resolves with the cause when the connection ends. */
  readonly ended: Promise<Error>;
  /** Ends the connection immediately, even during a statement. */
  destroy(): void;
}

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** If set, the statement is prepared under this name, once per connection. */
  readonly name?: string;
}

export interface ConnectOptions {
  /** The purpose of the connection, shown in `pg_stat_activity`. */
  readonly purpose: string;
  /** The time limit for one statement, not counting its wait for earlier ones. */
  readonly timeoutMilliseconds: number;
  /** Session settings, in addition to those that every connection gets. */
  readonly settings?: Readonly<Record<string, string>>;
}

export type PostgresError = pg.DatabaseError;

/** Reports whether the server rejected a statement. Returns false if the connection was lost during the statement. */
export function isServerRejection(error: unknown): error is PostgresError {
  return error instanceof pg.DatabaseError && !mayHaveCommitted(error);
}

/**
 * Reports whether the server shut down (57P01 and similar) or the connection failed (class 08), perhaps after the
 * commit.
 */
function mayHaveCommitted({ code = '' }: PostgresError): boolean {
  return code.startsWith('57P') || code.startsWith('08');
}

const CONNECT_TIMEOUT_MILLISECONDS = 2_000;

/**
 * The database function `append` requires the isolation level read committed: at a higher level, concurrent appends
 * fail. The connection check stops a backend whose client is gone from waiting for a lock.
 */
const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  default_transaction_isolation: 'read\\ committed',
  client_connection_check_interval: '1000',
  jit: 'off',
};

/** WARNING 01000: the wait for a standby was canceled, so the commit may exist only on the primary, and may be lost. */
const UNREPLICATED_COMMIT = '01000';

/**
 * Runs `work` on a separate connection, and closes the connection afterwards. Changes that `work` has not committed are
 * rolled back.
 */
export async function withConnection<Result>(
  open: () => Promise<Connection>,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await open();
  try {
    return await work(connection);
  } finally {
    connection.destroy();
  }
}

/** Opens a connection and prepares it with `prepare`. Closes the connection if `prepare` fails. */
export async function openPrepared(
  open: () => Promise<Connection>,
  prepare: (connection: Connection) => Promise<void>,
): Promise<Connection> {
  const connection = await open();
  try {
    await prepare(connection);
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/**
 * Connects to the first host that is a primary.
 * @throws AggregateError if no host is a primary, with the reason for each host
 */
export async function connectPrimary(address: PostgresAddress, options: ConnectOptions): Promise<Connection> {
  const errors: Error[] = [];
  for (const host of address.hosts) {
    try {
      return await connectHost(address, host, options);
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      errors.push(new Error(`${host.host}:${host.port}: ${cause.message}`, { cause }));
    }
  }
  throw new AggregateError(
    errors,
    `could not connect to a primary (${errors.map(({ message }) => message).join('; ')})`,
  );
}

async function connectHost(address: PostgresAddress, host: PostgresHost, options: ConnectOptions): Promise<Connection> {
  const settings = { ...SESSION_SETTINGS, ...options.settings };
  const client = new pg.Client({
    ...host,
    user: address.user,
    password: address.password,
    database: address.database,
    ssl: tlsOptions(address),
    application_name: `grantlog ${options.purpose}`,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
    query_timeout: options.timeoutMilliseconds,
    keepAlive: true,
    types,
  });
  const connection = wrapClient(client);
  try {
    await client.connect();
    const [state] = await connection.query<{ is_read_only: boolean }>({ text: PREPARE_SESSION });
    if (state?.is_read_only !== false) throw new Error('the server is a standby or is read-only');
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** Commits must be durable before they are acknowledged, whatever the database's default is. */
const PREPARE_SESSION = `
  select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only,
    case when current_setting('synchronous_commit') in ('off', 'local')
      then set_config('synchronous_commit', 'on', false) end`;

function tlsOptions({ tls, rootCertificates }: PostgresAddress) {
  if (tls === 'disable') return false;
  const ca = rootCertificates === undefined ? {} : { ca: readFileSync(rootCertificates, 'utf8') };
  return { rejectUnauthorized: tls === 'verify-full', ...ca };
}

/** Positions and revisions can be represented exactly as numbers: no log reaches 2^53 events. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

function wrapClient(client: pg.Client): Connection {
  let replicationError: Error | undefined;
  let end: (cause: Error) => void;
  const ended = new Promise<Error>((resolve) => (end = resolve));
  client.on('error', (error) => end(error));
  client.on('end', () => end(new Error('the connection to the database has ended')));
  client.on('notice', ({ code, message }) => {
    if (code === UNREPLICATED_COMMIT)
      replicationError = new Error(`the commit may not have been replicated: ${message ?? ''}`);
  });

  /**
   * Statements run one at a time because the driver's own queue is deprecated, and because a notice must be
   * attributable to its statement.
   */
  let previous: Promise<unknown> = Promise.resolve();

  async function execute<Row extends object>({ text, values, name }: Statement): Promise<readonly Row[]> {
    replicationError = undefined;
    const { rows } = await client.query<Row>({ text, values: values?.slice() ?? [], ...(name && { name }) });
    if (replicationError !== undefined) throw replicationError;
    return rows;
  }

  function query<Row extends object>(statement: Statement): Promise<readonly Row[]> {
    const result = previous.then(() => execute<Row>(statement));
    previous = result.catch(() => {});
    return result;
  }

  return {
    ended,
    query,
    async listen(channel, onNotification) {
      client.on('notification', (notification) => {
        if (notification.channel === channel) onNotification(notification.payload ?? '');
      });
      await query({ text: `listen ${channel}` });
    },
    destroy() {
      // `client.end()` would wait for a server that no longer responds.
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      end(new Error('the connection to the database was closed'));
    },
  };
}
