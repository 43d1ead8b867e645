import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import { PROBE } from '../probe.ts';
import { startServer, type ServerProcess } from '../server-process.ts';
import { CODE_LIFETIME_SECONDS } from './bench-data.ts';

/** What is different from how an operator starts it. */
export interface StartOptions {
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
export function startGrantlog(
  dataDir: string,
  { core, nodeOptions = [], probed = false, settings = {} }: StartOptions,
): Promise<ServerProcess> {
  const words = [...npmStartOptions(), ...nodeOptions, ...(probed ? PROBE : [])];
  return startServer({
    command: [process.execPath, ...words, 'dist/main.js', 'serve'],
    cwd: CHECKOUT,
    core,
    output: `${dataDir}.log`,
    hasIpc: probed,
    env: {
      DATA_DIR: dataDir,
      PORT: '0',
      GRANTLOG_AUTHORIZATION_CODE_LIFETIME_SECONDS: String(CODE_LIFETIME_SECONDS),
      GRANTLOG_TOKENS_PER_MINUTE_PER_CLIENT: '1000000000',
      ...settings, // few clients ask for all tokens
    },
  });
}

/** What `npm start` says to Node. */
function npmStartOptions(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const words = /^exec node (.*)dist\/main\.js serve$/.exec(scripts.start);
  if (words === null) throw new Error(`npm start is not as the benchmark knows it: ${scripts.start}`);
  return (words[1] ?? '').split(' ').filter((word) => word !== '');
}

/** What the server's metrics say under `name`. */
export async function readMetric({ port }: Pick<ServerProcess, 'port'>, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`there is no ${name} in the metrics: ${text.slice(0, 200)}`);
  return Number(value);
}

/** How many events the log has. */
export function logHead(server: Pick<ServerProcess, 'port'>): Promise<number> {
  return readMetric(server, 'grantlog_log_head_position');
}
