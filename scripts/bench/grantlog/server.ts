import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import { startServer, type ServerProcess } from '../server-process.ts';
import { CODE_LIFETIME_SECONDS } from './furnish.ts';

/** What is different from how an operator starts it. */
export interface HowStarted {
  /** The processor it keeps to. */
  readonly core?: number | undefined;
  /** Words for Node itself. */
  readonly nodeOptions?: readonly string[];
  /** Whether it can be asked for its memory and its pauses. */
  readonly probed?: boolean;
  /** Settings other than those shipped, by their names in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Built and started as operators do, with its settings as shipped but for one: codes live longer, for some are made before the start. */
export function startGrantlog(dataDir: string, { core, nodeOptions = [], probed = false, settings = {} }: HowStarted): Promise<ServerProcess> {
  const words = [...optionsOfStart(), ...nodeOptions, ...(probed ? ['--import', './scripts/bench/servers/probe.mjs'] : [])];
  return startServer({
    command: [process.execPath, ...words, 'dist/main.js', 'serve'], cwd: CHECKOUT, core, output: `${dataDir}.log`, talks: probed,
    env: { DATA_DIR: dataDir, PORT: '0', GRANTLOG_AUTHORIZATION_CODE_LIFETIME_SECONDS: String(CODE_LIFETIME_SECONDS), ...settings },
  });
}

/** What `npm start` says to Node. */
function optionsOfStart(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as { readonly scripts: { readonly start: string } };
  const words = /^exec node (.*)dist\/main\.js serve$/.exec(scripts.start);
  if (words === null) throw new Error(`npm start is not as the benchmark knows it: ${scripts.start}`);
  return (words[1] ?? '').split(' ').filter((word) => word !== '');
}

/** What the server's metrics say under `name`. */
export async function metricOf({ port }: Pick<ServerProcess, 'port'>, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`there is no ${name} in the metrics: ${text.slice(0, 200)}`);
  return Number(value);
}

/** How many events the log has. */
export function logHead(server: Pick<ServerProcess, 'port'>): Promise<number> {
  return metricOf(server, 'grantlog_log_head_position');
}

export interface Memory {
  /** Without files that are mapped, as those of LevelDB: those are the page cache's. All that is resident where the system does not say. */
  readonly resident: number;
  readonly heapUsed: number;
  /** Array buffers are among it. */
  readonly external: number;
}

/** In bytes, after a collection; of a server that is probed. */
export async function memoryOf(server: ServerProcess): Promise<Memory> {
  const { rss, heapUsed, external } = (await server.ask({ probe: 'memory' })) as NodeJS.MemoryUsage;
  return { resident: anonymousMemory(server.pid) ?? rss, heapUsed, external };
}

function anonymousMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

export interface Pauses {
  /** Milliseconds for which the event loop stood still, since the last time it was asked. */
  readonly longest: number;
  readonly p99: number;
}

export async function pausesOf(server: ServerProcess): Promise<Pauses> {
  return (await server.ask({ probe: 'pauses' })) as Pauses;
}
