import { setTimeout } from 'node:timers/promises';
import { startPostgres, startStandby, type Postgres } from '../../../scripts/postgres/cluster.ts';
import { queryOnce } from '../../../scripts/postgres/query-once.ts';

/** A primary with standbys. At least one standby acknowledges each commit. */
export interface Replication {
  /** Returns the current primary. */
  primary(): Postgres;
  /** Returns the other servers, including former primaries, in the order they were started. */
  otherServers(): readonly Postgres[];
  /**
   * Creates an empty database.
   * @returns a connection URL with all servers as its hosts
   */
  createDatabase(): Promise<string>;
  /**
   * Kills the primary and promotes the standby that has received the most WAL, as a careful operator would. Any other
   * standbys follow the new primary and acknowledge its commits. Without standbys, the new primary commits on its own.
   */
  failOver(): Promise<void>;
  /** Stops all servers and removes their files. */
  destroy(): Promise<void>;
}

const POLL_MS = 20;

interface Standby {
  readonly name: string;
  readonly server: Postgres;
}

/**
 * Starts a primary and standbys.
 * @throws Error if PostgreSQL is not installed
 */
export async function startReplication(count: 1 | 2): Promise<Replication> {
  let primary = await startPostgres();
  const servers = [primary];
  let standbys: readonly Standby[] = [];
  const destroy = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.destroy())));

  async function addStandby(name: string): Promise<void> {
    const server = await startStandby(primary, name);
    servers.push(server);
    standbys = [...standbys, { name, server }];
  }

  try {
    for (let index = 1; index <= count; index++) await addStandby(`standby_${index}`);
    await requireAcknowledgement(primary, standbys);
  } catch (error) {
    await destroy();
    throw error;
  }

  return {
    destroy,
    primary: () => primary,
    otherServers: () => servers.filter((server) => server !== primary),
    async createDatabase() {
      const url = new URL(await primary.createDatabase());
      const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
      return url.href.replace(url.host, hosts);
    },
    async failOver() {
      await primary.kill();
      const newPrimary = await furthestStandby(standbys);
      await queryOnce(newPrimary.server.url('postgres'), 'SELECT pg_promote(true)');
      primary = newPrimary.server;
      standbys = standbys.filter((standby) => standby !== newPrimary);
      for (const { server } of standbys) await followPrimary(server, primary);
      await requireAcknowledgement(primary, standbys);
    },
  };
}

/** Makes each later commit wait until at least one standby has written it to disk. */
async function requireAcknowledgement(primary: Postgres, standbys: readonly Standby[]): Promise<void> {
  const url = primary.url('postgres');
  const streamingStandbys = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'";
  while ((await queryOnce(url, streamingStandbys)).length < standbys.length) await setTimeout(POLL_MS);
  if (standbys.length === 0) return;
  const names = standbys.map(({ name }) => name).join(', ');
  await configure(primary, 'synchronous_standby_names', `ANY 1 (${names})`);
}

/** Returns the standby that has received the most WAL. The others may lack acknowledged commits. */
async function furthestStandby(standbys: readonly Standby[]): Promise<Standby> {
  const positions = await Promise.all(
    standbys.map(async (standby) => {
      const [row] = await queryOnce<{ bytes: string }>(
        standby.server.url('postgres'),
        "SELECT pg_last_wal_receive_lsn() - '0/0' AS bytes",
      );
      return { standby, bytes: BigInt(row?.bytes ?? 0) };
    }),
  );
  const [best] = positions.toSorted((a, b) => (a.bytes < b.bytes ? 1 : -1));
  if (best === undefined) throw new Error('there is no standby to promote');
  return best.standby;
}

async function followPrimary(standby: Postgres, primary: Postgres): Promise<void> {
  const { hostname, port, username } = new URL(primary.url('postgres'));
  const source = `host=${hostname} port=${port} user=${username} password=${primary.password}`;
  await configure(standby, 'primary_conninfo', source);
}

async function configure(server: Postgres, setting: string, value: string): Promise<void> {
  await queryOnce(server.url('postgres'), `ALTER SYSTEM SET ${setting} = '${value}'`);
  await queryOnce(server.url('postgres'), 'SELECT pg_reload_conf()');
}
