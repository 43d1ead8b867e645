import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrateDatabase } from '../../../src/composition/postgres-directory.ts';
import { startPostgres, type Postgres } from '../../postgres/cluster.ts';
import { queryOnce } from '../../postgres/query-once.ts';
import type { BenchOptions } from '../arguments.ts';
import { startDjangoToolkit } from '../contenders/django-toolkit.ts';
import { basicAuthHeader } from '../contenders/http-text.ts';
import { clientCredentialsRequest } from '../contenders/requests.ts';
import { createBenchData } from '../grantlog/bench-data.ts';
import { readMetric, startGrantlog } from '../grantlog/server.ts';
import { startLoad, type Load } from '../load/load.ts';
import type { LoadRequest } from '../load/protocol.ts';
import { processorTime } from '../processor-time.ts';
import type { ServerProcess } from '../server-process.ts';
import type { BenchResult, Session } from '../session.ts';
import { median } from '../statistics.ts';

const CONNECTIONS = [64, 256] as const;
const NODES = [1, 2, 3] as const;

/** Servers that share one database. */
interface Deployment {
  readonly name: string;
  readonly servers: readonly Pick<ServerProcess, 'port' | 'cpu' | 'end'>[];
  /** The process of the database; undefined if it is part of a server process, or measured with the server. */
  readonly databasePid: number | undefined;
  prepare(): Promise<LoadRequest>;
  /** Resolves with the number of events in the log; undefined if the server has no log. */
  events(): Promise<number | undefined>;
  /** Resolves with the appends and commits since startup; undefined if the server does not report them. */
  commits(): Promise<{ readonly appends: number; readonly commits: number } | undefined>;
  end(): Promise<void>;
}

interface Measurement {
  readonly rate: number;
  readonly p99: number;
  readonly batch: number;
  readonly serverMs: number;
  readonly databaseMs: number;
}

/** Measures durable client credentials tokens per second, on LevelDB and with several nodes on one PostgreSQL. */
export async function cluster(
  { rounds, seconds, warmUpSeconds }: BenchOptions,
  { directory, report }: Session,
): Promise<BenchResult> {
  const loads = NODES.map(() => startLoad(undefined));
  const measurements = new Map<string, Measurement[]>();
  const starts: ((directory: string) => Promise<Deployment | undefined>)[] = [
    (parent) => deployOnLevelDb(join(parent, 'leveldb')),
    ...NODES.map((count) => (parent: string) => deployOnPostgres(join(parent, `nodes-${count}`), count)),
    (parent) => deployDjango(parent, report),
  ];
  chmodSync(directory, 0o711); // the user that runs the database must reach its files
  try {
    // One deployment at a time, because even an idle node writes heartbeats and uses the processor.
    for (let round = 0; round < rounds; round += 1) {
      const roundDirectory = join(directory, `round-${round}`);
      mkdirSync(roundDirectory);
      for (const start of starts) {
        const deployment = await start(roundDirectory);
        if (deployment === undefined) continue;
        try {
          for (const connections of CONNECTIONS) {
            await measure(deployment, loads, connections, warmUpSeconds);
            const measurement = await measure(deployment, loads, connections, seconds);
            const key = `${deployment.name}, ${connections} connections`;
            measurements.set(key, [...(measurements.get(key) ?? []), measurement]);
            report(`round ${round + 1} of ${rounds}: ${key}: ${measurement.rate.toFixed(0)} tokens/s`);
          }
        } finally {
          await deployment.end();
        }
      }
    }
  } finally {
    for (const load of loads) load.end();
  }
  return {
    method:
      `client_credentials, each token durable before its response; medians of ${rounds} rounds of ${seconds} s; ` +
      'servers, database and load share all cores',
    cells: [
      ['', 'tokens/s', 'p99 ms', 'appends per commit', 'server ms per token', 'database ms per token'],
      ...[...measurements].map(([name, results]) => cells(name, results)),
    ],
    remarks: [],
    figures: Object.fromEntries(measurements),
  };
}

async function measure(
  deployment: Deployment,
  loads: readonly Load[],
  connections: number,
  seconds: number,
): Promise<Measurement> {
  const { servers, databasePid } = deployment;
  const request = await deployment.prepare();
  const before = { events: await deployment.events(), commits: await deployment.commits(), ...times() };
  const share = Math.ceil(connections / servers.length);
  const reports = await Promise.all(
    servers.map(({ port }, index) => (loads[index] as Load).run({ port, connections: share, seconds, request })),
  );
  const after = { events: await deployment.events(), commits: await deployment.commits(), ...times() };
  const tokens = sum(reports, ({ responses }) => responses);
  if (before.events !== undefined && after.events !== undefined && after.events - before.events !== tokens)
    throw new Error(`${tokens} responses have a token, but the log has ${after.events - before.events} new events`);
  const appendCount = (after.commits?.appends ?? Number.NaN) - (before.commits?.appends ?? Number.NaN);
  const commits = (after.commits?.commits ?? Number.NaN) - (before.commits?.commits ?? Number.NaN);
  return {
    rate: sum(reports, ({ rate }) => rate),
    p99: Math.max(...reports.map(({ p99 }) => p99)),
    batch: appendCount / commits,
    serverMs: (after.server - before.server) / tokens,
    databaseMs: (after.database - before.database) / tokens,
  };

  function times(): { readonly server: number; readonly database: number } {
    return {
      server: sum(servers, ({ cpu }) => cpu() ?? Number.NaN),
      database: databasePid === undefined ? Number.NaN : (processorTime(databasePid) ?? Number.NaN),
    };
  }
}

async function deployOnLevelDb(dataDir: string): Promise<Deployment> {
  const { clientId, clientSecret } = await createBenchData(dataDir, 0);
  const server = await startGrantlog(dataDir, {});
  return {
    ...grantlogDeployment('LevelDB, one process', [server], basicAuthHeader(clientId, clientSecret)),
    databasePid: undefined,
    events: () => readMetric(server, 'grantlog_log_head_position'),
    end: () => server.end('SIGTERM'),
  };
}

async function deployOnPostgres(dataDir: string, count: number): Promise<Deployment> {
  const postgres: Postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await migrateDatabase(url);
  const sharedSettings = { GRANTLOG_LOG: url, GRANTLOG_KEYS: join(dataDir, 'keys') };
  const { clientId, clientSecret } = await createBenchData(dataDir, 0, {
    log: url,
    keys: sharedSettings.GRANTLOG_KEYS,
  });
  const servers: ServerProcess[] = [];
  for (let node = 1; node <= count; node += 1)
    servers.push(await startGrantlog(join(dataDir, `node-${node}`), { settings: sharedSettings }));
  return {
    ...grantlogDeployment(
      `PostgreSQL, ${count} ${count === 1 ? 'node' : 'nodes'}`,
      servers,
      basicAuthHeader(clientId, clientSecret),
    ),
    databasePid: postgres.pid(),
    async events() {
      const [row] = await queryOnce<{ position: string }>(url, 'select position from grantlog.head');
      return Number(row?.position);
    },
    async end() {
      await Promise.all(servers.map((server) => server.end('SIGTERM')));
      await postgres.destroy();
    },
  };
}

function grantlogDeployment(name: string, servers: readonly ServerProcess[], authorization: string) {
  return {
    name,
    servers,
    prepare: async () => clientCredentialsRequest(authorization),
    async commits() {
      const appends = await readMetrics(servers, 'grantlog_log_commit_appends_sum');
      const commits = await readMetrics(servers, 'grantlog_log_commit_appends_count');
      return { appends, commits };
    },
  };
}

async function readMetrics(servers: readonly ServerProcess[], metric: string): Promise<number> {
  const values = await Promise.all(servers.map((server) => readMetric(server, metric)));
  return sum(values, (value) => value);
}

async function deployDjango(directory: string, report: (line: string) => void): Promise<Deployment | undefined> {
  const [contender] = await startDjangoToolkit({ directory, cores: undefined, connections: 1 }, report);
  if (contender === undefined) return undefined;
  return {
    name: `${contender.name}, server and database together`,
    servers: [contender.server],
    databasePid: undefined,
    prepare: () => contender.prepare('client_credentials', 0),
    events: async () => undefined,
    commits: async () => undefined,
    end: () => contender.server.end('SIGTERM'),
  };
}

function cells(name: string, measurements: readonly Measurement[]): readonly string[] {
  const medianOf = (read: (measurement: Measurement) => number, digits: number): string => {
    const value = median(measurements.map(read));
    return Number.isNaN(value) ? '' : value.toFixed(digits);
  };
  return [
    name,
    medianOf(({ rate }) => rate, 0),
    medianOf(({ p99 }) => p99, 1),
    medianOf(({ batch }) => batch, 1),
    medianOf(({ serverMs }) => serverMs, 3),
    medianOf(({ databaseMs }) => databaseMs, 3),
  ];
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
