import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findPostgres, HOW_TO_INSTALL_POSTGRES } from '../postgres/installation.ts';
import { printLine } from '../run-drill.ts';
import { runScript } from '../run-script.ts';
import { startCluster, type Cluster } from './cluster.ts';
import { formatLogLine } from './format-log-line.ts';

const USAGE = `Usage: npm run cluster -- [--nodes N] [--port N]

Runs several nodes on one log, for trials: starts a new PostgreSQL, the nodes, and a proxy that
sends each request to the next node. Everything listens on 127.0.0.1 only. PostgreSQL 15 or newer must be
installed. Prints the requests of each node.

Ctrl-C stops everything and removes all data. The same happens if PostgreSQL exits, or if a node fails.
If you kill a node, the other nodes continue.

  --nodes N   from 1 to 9 (default: 3)
  --port N    the port of the proxy; 0 for any free port (default: 8000)
  --help      show this help

The nodes inherit settings from the environment, such as GRANTLOG_SIGNUP=open.

Exit status 0: stopped by Ctrl-C. 1: PostgreSQL or a node exited. 2: usage error, or the cluster cannot start.
`;

const SETUP_LINK = /create one at ([^\s"]+)/;
/** The time to wait for the set-up link. Nodes print it right after they start, unless there is an administrator. */
const SETUP_LINK_MS = 1000;

interface Options {
  readonly help: boolean;
  readonly nodes: number;
  readonly port: number;
}

const interruption = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      resolve();
      process.once(signal, () => process.exit(1)); // a second signal ends the script without a clean shutdown
    });
  }
});

await runScript<Options>(USAGE, readOptions, run);

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      nodes: { type: 'string', default: '3' },
      port: { type: 'string', default: '8000' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    nodes: readNumber('nodes', values.nodes, 1, 9),
    port: readNumber('port', values.port, 0, 65_535),
  };
}

function readNumber(name: string, text: string, lowest: number, highest: number): number {
  const number = Number(text);
  if (text !== '' && Number.isInteger(number) && number >= lowest && number <= highest) return number;
  throw new Error(`--${name} must be a whole number from ${lowest} to ${highest}, not ${text}`);
}

async function run({ nodes, port }: Options): Promise<number> {
  if (findPostgres() === undefined) return failToStart(HOW_TO_INSTALL_POSTGRES);
  let cluster: Cluster;
  let resolveSetupLink: (link: string) => void;
  const setupLink = new Promise<string>((resolve) => (resolveSetupLink = resolve));
  try {
    cluster = await startCluster({
      nodes,
      port,
      onLine(node, line) {
        const link = SETUP_LINK.exec(line)?.[1];
        if (link !== undefined) resolveSetupLink(link);
        printLine(`${node}  ${formatLogLine(line)}`);
      },
    });
  } catch (error) {
    return failToStart(error instanceof Error ? error.message : String(error));
  }
  printLine(describeCluster(cluster, await Promise.race([setupLink, setTimeout(SETUP_LINK_MS, undefined)])));
  for (const { name, exitStatus } of cluster.nodes)
    void exitStatus.then((cause) => printLine(`${name} exited with ${cause}`));
  const failure = await Promise.race([interruption, cluster.failed]);
  printLine(failure === undefined ? 'stopping' : `stopping, because ${failure}`);
  await cluster.stop();
  return failure === undefined ? 0 : 1;
}

function describeCluster({ issuer, postgres, nodes }: Cluster, setupLink: string | undefined): string {
  const variables = Object.entries(nodes[0]?.environment ?? {})
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ');
  return [
    '',
    `PostgreSQL listens on port ${postgres.port}.`,
    ...nodes.map(({ name, port, pid }) => `${name} is process ${pid} and serves http://127.0.0.1:${port}.`),
    `The proxy serves ${issuer}`,
    ...(setupLink === undefined ? [] : [`Create the first administrator at ${setupLink}`]),
    `Commands: ${variables} npm run -s grantlog -- COMMAND`,
    'If you kill a node, the other nodes continue. Ctrl-C stops everything and removes all data.',
    '',
  ].join('\n');
}

function failToStart(reason: string): number {
  process.stderr.write(`the cluster cannot start: ${reason}\n`);
  return 2;
}
