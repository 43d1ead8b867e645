import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServer, type ServerProcess, type ServerProcessOptions } from './server-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { PATH = '', HOME = '' } = process.env;

type CommandLine = readonly [string, ...string[]];

/** An example whose commands run as in its README. Its files and data are in a separate directory. */
export interface Example {
  readonly dataDir: string;
  /** The two shell commands in the README's first block. */
  readonly commands: readonly [first: string, second: string];
  /** Runs a shell command in the checkout, and resolves with its standard output. */
  run(command: string): Promise<string>;
  /** Starts a server that prints its address. */
  start(command: string, options?: ServerProcessOptions): Promise<ServerProcess>;
  /** Registers a confidential client with the client credentials grant, on the command line. */
  addClient(): Promise<{ readonly id: string; readonly secret: string }>;
  close(): Promise<void>;
}

/** @param outputFile the file that the README's first command writes; undefined if it writes none */
export function openExample(name: string, outputFile?: string): Example {
  const directory = mkdtempSync(join(tmpdir(), `grantlog-${name}-`));
  const dataDir = join(directory, 'data');
  const readme = readFileSync(join(ROOT, 'examples', name, 'README.md'), 'utf8');
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const firstBlock = outputFile === undefined ? block : block.replaceAll(outputFile, join(directory, outputFile));
  const commands = firstBlock.trim().split('\n');
  const [first, second] = commands;
  if (first === undefined || second === undefined || commands.length !== 2) {
    throw new Error(`examples/${name}/README.md does not start with two commands`);
  }
  const servers: ServerProcess[] = [];
  const env = { PATH, HOME, DATA_DIR: dataDir };

  async function run(command: string): Promise<string> {
    const args = ['-c', `set -euo pipefail; ${command}`];
    return (await promisify(execFile)('bash', args, { cwd: ROOT, env })).stdout;
  }

  return {
    dataDir,
    commands: [first, second],
    run,
    async start(command, options = {}) {
      const server = await startServer(dataDir, { ...options, command: command.split(' ') as unknown as CommandLine });
      servers.push(server);
      return server;
    },
    async addClient() {
      const kind = '--type confidential --grant client-credentials --json';
      const row = JSON.parse(await run(`node dist/main.js client add --name Test ${kind}`)) as {
        readonly client_id: string;
        readonly client_secret: string;
      };
      return { id: row.client_id, secret: row.client_secret };
    },
    async close() {
      await Promise.all(servers.map((server) => server.destroy()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Gets an access token for the client itself. */
export async function clientToken(
  origin: string,
  { id, secret }: { readonly id: string; readonly secret: string },
  scope: string,
): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope, client_id: id, client_secret: secret });
  const response = await fetch(`${origin}/o/token/`, { method: 'POST', body });
  return ((await response.json()) as { readonly access_token: string }).access_token;
}
