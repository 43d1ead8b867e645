import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { SIGNING_ALGORITHMS } from '../../../src/domain/values.ts';
import { CHECKOUT } from '../checkout.ts';
import { PROBE } from '../probe.ts';
import { startServer, type ServerProcess } from '../server-process.ts';
import { CODE_LIFETIME_SECONDS } from './bench-data.ts';

/** Differences from a server in production. */
export interface StartOptions {
  /** The checkout whose build is started. */
  readonly checkout?: string;
  /** The processor core that it runs on. */
  readonly core?: number | undefined;
  /** Additional options for Node. */
  readonly nodeOptions?: readonly string[];
  /** Whether to load the probe for memory and event loop delay. */
  readonly withProbe?: boolean;
  /** Changed settings, by their names in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the built server with default settings, except that codes live longer and clients are not rate-limited.
 * Resolves when it has introduced its signing keys, because the benchmarks count events.
 */
export async function startGrantlog(
  dataDir: string,
  { checkout = CHECKOUT, core, nodeOptions = [], withProbe = false, settings = {} }: StartOptions,
): Promise<ServerProcess> {
  const options = [...npmStartOptions(checkout), ...nodeOptions, ...(withProbe ? PROBE : [])];
  const server = await startServer({
    command: [process.execPath, ...options, 'dist/main.js', 'serve'],
    cwd: checkout,
    core,
    output: `${dataDir}.log`,
    hasIpc: withProbe,
    env: {
      DATA_DIR: dataDir,
      PORT: '0',
      GRANTLOG_AUTHORIZATION_CODE_LIFETIME_SECONDS: String(CODE_LIFETIME_SECONDS),
      GRANTLOG_TOKENS_PER_MINUTE_PER_CLIENT: '1000000000', // the load comes from a single client
      ...settings,
    },
  });
  while (!(await hasSigningKeys(server))) await setTimeout(20);
  return server;
}

async function hasSigningKeys({ port }: Pick<ServerProcess, 'port'>): Promise<boolean> {
  const keySet = await (await fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`)).text();
  return SIGNING_ALGORITHMS.every((algorithm) => keySet.includes(`"alg":"${algorithm}"`));
}

/** The options that `npm start` passes to Node. */
function npmStartOptions(checkout: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const [, options] = /^exec node (.*)dist\/main\.js serve$/.exec(scripts.start) ?? [];
  if (options === undefined) throw new Error(`cannot parse the start script of package.json: ${scripts.start}`);
  return options.split(' ').filter((option) => option !== '');
}

/** Reads one of the server's metrics. */
export async function readMetric({ port }: Pick<ServerProcess, 'port'>, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`no metric ${name} in: ${text.slice(0, 200)}`);
  return Number(value);
}

export async function readIssuer({ port }: Pick<ServerProcess, 'port'>): Promise<string> {
  const metadata = await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`);
  return ((await metadata.json()) as { readonly issuer: string }).issuer;
}

/** Reads the number of events in the log. */
export function logHead(server: Pick<ServerProcess, 'port'>): Promise<number> {
  return readMetric(server, 'grantlog_log_head_position');
}
