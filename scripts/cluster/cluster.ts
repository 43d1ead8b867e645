import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres, type Postgres } from '../postgres/cluster.ts';
import { startNode, type NodeProcess } from './node-process.ts';
import { startRoundRobin, type RoundRobin } from './round-robin.ts';

export interface ClusterOptions {
  readonly nodes: number;
  /** The port of the proxy; 0 for any free port. */
  readonly port: number;
  /** Receives each line of the nodes' logs. */
  readonly onLine: (node: string, line: string) => void;
}

/** A cluster on 127.0.0.1 with a temporary database, for trials. */
export interface Cluster {
  readonly issuer: string;
  readonly postgres: Postgres;
  readonly nodes: readonly ClusterNode[];
  /** Resolves with the reason when the cluster cannot continue. It continues without a killed node. */
  readonly failed: Promise<string>;
  /** Stops all processes of the cluster, and removes its data. */
  stop(): Promise<void>;
}

export interface ClusterNode extends NodeProcess {
  /** The variables that commands use to open the node's log. */
  readonly environment: Readonly<Record<string, string>>;
}

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/**
 * Starts a cluster, and resolves when all nodes are ready.
 * @throws Error if PostgreSQL is not installed, the port is in use, or a process does not start
 */
export async function startCluster({ nodes: count, port, onLine }: ClusterOptions): Promise<Cluster> {
  const postgres = await startPostgres();
  let proxy: RoundRobin | undefined;
  const nodes: ClusterNode[] = [];

  async function stop(): Promise<void> {
    await proxy?.close();
    await Promise.all(nodes.map((node) => node.stop()));
    await postgres.destroy();
  }

  try {
    proxy = await startRoundRobin(port);
    const issuer = `http://localhost:${proxy.port}`;
    const log = {
      GRANTLOG_LOG: await postgres.createDatabase(),
      GRANTLOG_KEYS: join(postgres.directory, 'keys'),
      GRANTLOG_ARCHIVE: join(postgres.directory, 'archive'),
    };
    const sharedEnvironment = { ...process.env, PORT: '0', ISSUER: issuer, ...log, GRANTLOG_TRUSTED_PROXIES: '1' };
    mkdirSync(log.GRANTLOG_KEYS, { mode: 0o700 });
    migrate(sharedEnvironment);
    const starts = Array.from({ length: count }, async (_, index) => {
      const name = `node-${index + 1}`;
      const environment = { ...log, DATA_DIR: join(postgres.directory, name) };
      const env = { ...sharedEnvironment, ...environment };
      const command = [process.execPath, MAIN, 'serve'];
      const node = await startNode({ name, command, env, onLine: (line) => onLine(name, line) });
      nodes.push({ ...node, environment });
    });
    await waitForAll(starts);
    nodes.sort((a, b) => a.name.localeCompare(b.name));
    proxy.setNodes(nodes.map((node) => node.port));
    return { issuer, postgres, nodes, failed: waitForFailure(nodes, postgres), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Waits until all promises have settled.
 * @throws the first error
 */
async function waitForAll(work: readonly Promise<void>[]): Promise<void> {
  const failure = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

function migrate(env: NodeJS.ProcessEnv): void {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'migrate'], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the schema of the database could not be created: ${stderr}`);
}

/** Resolves with the reason when the cluster cannot continue. */
async function waitForFailure(nodes: readonly NodeProcess[], postgres: Postgres): Promise<string> {
  const allEnded = Promise.all(nodes.map(({ exitStatus }) => exitStatus)).then(() => 'no node is left');
  return Promise.race([
    ...nodes.map(waitForNodeFailure),
    allEnded,
    postgres.waitForExit().then(() => 'PostgreSQL exited'),
  ]);
}

/** Resolves with the failure of a node that exits with a status. A node ended by a signal was killed on purpose. */
function waitForNodeFailure({ name, exitStatus }: NodeProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    exitStatus.then(
      (cause) => (typeof cause === 'number' ? resolve(`${name} exited with status ${cause}`) : undefined),
      reject,
    );
  });
}
