import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNode, type NodeProcess } from '../../../scripts/cluster/node-process.ts';
import { startPostgres, type Postgres } from '../../../scripts/postgres/cluster.ts';
import { signal } from '../../../scripts/postgres/process-tree.ts';
import { findStablePort } from '../../../scripts/postgres/stable-port.ts';
import { migrateDatabase } from '../../../src/composition/postgres-directory.ts';
import { startProxy, type PostgresProxy } from '../postgres/proxy.ts';
import { startReplication, type Replication } from '../postgres/replication.ts';
import type { Target } from './requests.ts';

const SHIFTED_CLOCK = fileURLToPath(new URL('../shifted-clock.mjs', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const NODE_COUNT = 3;
/** Shorter than the default, so that faults exceed it. */
export const MAX_STALENESS_SECONDS = 2;

/** A server process with its own proxied connections to the database, so that they can fail independently. */
export interface DrillNode extends Target {
  readonly dataDir: string;
  /** The proxy to the server that was the primary when the drill began. */
  readonly proxy: PostgresProxy;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Resolves when the node is ready. */
  start(): Promise<void>;
  /** @param seconds how far its clock is ahead */
  setClock(seconds: number): void;
  /** Returns the last lines of its log. */
  output(): string;
}

export interface DrillCluster {
  readonly nodes: readonly [DrillNode, DrillNode, DrillNode];
  /** Returns the current primary. */
  primary(): Postgres;
  /** Undefined without a standby. */
  readonly replication: Replication | undefined;
  /** Returns the URL of the database on the current primary, without a proxy. */
  url(): string;
  close(): Promise<void>;
}

/** Starts three nodes of the built server on a separate PostgreSQL server, in `directory`, which `close` removes. */
export async function startDrillCluster(
  directory: string,
  { standby }: { readonly standby: boolean },
): Promise<DrillCluster> {
  const replication = standby ? await startReplication(1) : undefined;
  const singlePostgres = replication === undefined ? await startPostgres() : undefined;
  const primary = (): Postgres => replication?.primary() ?? (singlePostgres as Postgres);
  const servers = [primary(), ...(replication?.otherServers() ?? [])];
  const proxies: PostgresProxy[] = [];
  const nodes: DrillNode[] = [];

  /** Stops and removes everything, even if some parts cannot be stopped. */
  async function close(): Promise<void> {
    const results = [
      ...(await Promise.allSettled(nodes.map((node) => node.kill()))),
      ...(await Promise.allSettled(proxies.map((proxy) => proxy.close()))),
      ...(await Promise.allSettled([replication?.destroy(), singlePostgres?.destroy()])),
    ];
    rmSync(directory, { recursive: true, force: true });
    const rejection = results.find((result) => result.status === 'rejected');
    if (rejection !== undefined) throw rejection.reason;
  }

  try {
    const database = new URL(await primary().createDatabase()).pathname.slice(1);
    const url = (): string => primary().url(database);
    await migrateDatabase(url());
    mkdirSync(join(directory, 'keys'), { mode: 0o700 });
    for (let number = 1; number <= NODE_COUNT; number += 1) {
      const nodeProxies: PostgresProxy[] = [];
      for (const server of servers) nodeProxies.push(await startProxy(server.port));
      proxies.push(...nodeProxies);
      const hosts = nodeProxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
      const log = url().replace(new URL(url()).host, hosts);
      const env = { GRANTLOG_LOG: log, GRANTLOG_KEYS: join(directory, 'keys') };
      nodes.push(
        drillNode({ number, directory, env, port: await findStablePort(), proxy: nodeProxies[0] as PostgresProxy }),
      );
    }
    // The first node creates the keys.
    for (const node of nodes) await node.start();
    const [first, second, third] = nodes;
    if (first === undefined || second === undefined || third === undefined) throw new Error('a node is missing');
    return { nodes: [first, second, third], primary, replication, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface DrillNodeDeps {
  readonly number: number;
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  readonly proxy: PostgresProxy;
}

const MAX_LINES = 40;

function drillNode({ number, directory, env: sharedEnv, port, proxy }: DrillNodeDeps): DrillNode {
  const name = `node ${number}`;
  const dataDir = join(directory, `node-${number}`);
  const clockFile = join(directory, `clock-${number}`);
  const lines: string[] = [];
  let nodeProcess: NodeProcess | undefined;
  let downSince = Infinity;
  let downUntil = Infinity;
  const { PATH = '' } = process.env;
  const env = {
    ...sharedEnv,
    PATH,
    PORT: String(port),
    ISSUER: 'http://localhost:8000',
    DATA_DIR: dataDir,
    CLOCK_OFFSET_FILE: clockFile,
    GRANTLOG_SAMPLE_API: 'true',
    GRANTLOG_MAX_STALENESS_SECONDS: String(MAX_STALENESS_SECONDS),
    GRANTLOG_AUTHORIZATION_CODE_LIFETIME_SECONDS: '3600', // no code expires in a round
    GRANTLOG_SNAPSHOT_EVENTS: '500',
    GRANTLOG_TOKENS_PER_MINUTE_PER_CLIENT: '1000000000', // also limits the codes of a user, and one user gets all
  };

  function setClock(seconds: number): void {
    writeFileSync(`${clockFile}.new`, String(seconds));
    renameSync(`${clockFile}.new`, clockFile); // so that the node never reads a partial file
  }
  setClock(0);

  return {
    name,
    dataDir,
    proxy,
    setClock,
    port: () => port,
    wasDown: ({ start, end }) => end >= downSince && start <= downUntil,
    output: () => lines.join('\n'),
    async kill() {
      if (nodeProcess === undefined) return;
      downSince = performance.now();
      downUntil = Infinity;
      signal(nodeProcess.pid, 'SIGKILL');
      const cause = await nodeProcess.exitStatus;
      if (cause !== 'SIGKILL') lines.push(`${name} exited unexpectedly with ${cause}`);
      nodeProcess = undefined;
    },
    async start() {
      const command = [process.execPath, '--import', SHIFTED_CLOCK, MAIN, 'serve'];
      const onLine = (line: string): void => {
        if (/"status":(?:[1-4]\d\d)/.test(line)) return;
        lines.push(line);
        if (lines.length > MAX_LINES) lines.shift();
      };
      nodeProcess = await startNode({ name, command, env, onLine });
      downUntil = performance.now();
    },
  };
}
