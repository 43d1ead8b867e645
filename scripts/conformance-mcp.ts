import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserSession } from '../test/support/browser-session.ts';
import { findFreePort } from '../test/support/free-port.ts';
import { startNode } from './cluster/node-process.ts';
import { runCommand } from './conformance/run-command.ts';
import { inTemporaryDirectory, printLine, readHelp, statusOf } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: npm run conformance:mcp

Runs the authorization server scenarios of the Model Context Protocol's conformance suite against
Grantlog with an empty data directory, and acts as the user. On first use, npx fetches a pinned
version of the suite, and also a newer Node if the current one is too old for the suite.

Exit status 0: no check failed. 1: a check failed. 2: usage error, or the suite or Grantlog cannot run.
`;

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** The oldest Node with `fs.globSync`, which the suite needs. */
const OLDEST_NODE_MAJOR = 22;
/** Runs the suite if this Node is older. */
const NODE_PACKAGE = 'node@24';
const USER = { username: 'judge', password: 'correct horse battery' };

await runScript(USAGE, readHelp, () =>
  inTemporaryDirectory('conformance-mcp', (directory) => statusOf(() => run(directory), 2)),
);

async function run(directory: string): Promise<number> {
  const [port, callbackPort] = [await findFreePort(), await findFreePort()];
  const issuer = `http://localhost:${port}`;
  const resource = 'https://mcp.example/mcp';
  const env = {
    ...process.env,
    PORT: String(port),
    ISSUER: issuer,
    DATA_DIR: join(directory, 'data'),
    GRANTLOG_CLIENT_DOCUMENTS: 'any',
    GRANTLOG_RESOURCES: JSON.stringify([resource]),
    GRANTLOG_ADMIN_USERNAME: USER.username,
    GRANTLOG_ADMIN_PASSWORD: USER.password,
  };
  const npxOptions = createNpxOptions();
  // fails early if the suite cannot be installed
  runCommand('npx', [...npxOptions, '-c', 'conformance --version'], env);
  const server = await startNode({ name: 'grantlog', command: [process.execPath, MAIN, 'serve'], env, onLine: ignore });
  try {
    const redirectUri = `http://127.0.0.1:${callbackPort}/callback`;
    const clientOptions = ['--type', 'public', '--grant', 'authorization-code', '--redirect-uri', redirectUri];
    const output = runCommand(
      process.execPath,
      [MAIN, 'client', 'add', '--name', 'Suite', ...clientOptions, '--json'],
      env,
    );
    const { client_id: clientId } = JSON.parse(output) as { readonly client_id: string };
    const options = `--url ${issuer} --client-id ${clientId} --port ${callbackPort} --resource ${resource}`;
    const child = spawn('npx', [...npxOptions, '-c', `conformance authorization ${options}`], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'close') as Promise<[number | null]>;
    for await (const line of createInterface(child.stdout)) {
      printLine(line);
      if (line.startsWith(`${issuer}/o/authorize/`)) await authorize(issuer, line);
    }
    return (await exit)[0] === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

/** Returns the npx options for the packages that the suite needs. */
function createNpxOptions(): readonly string[] {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return ['-y', '-p', SUITE, ...(major < OLDEST_NODE_MAJOR ? ['-p', NODE_PACKAGE] : [])];
}

/** Logs the user in, authorizes the client, and follows the redirect to it. */
async function authorize(issuer: string, url: string): Promise<void> {
  const browser = browserSession(() => issuer);
  await browser.logIn(USER.username, USER.password);
  const { pathname, search } = new URL(url);
  const { location, html } = await browser.submit(await browser.get(pathname + search), { allow: 'Authorize' });
  if (location === null) throw new Error(`the consent page responded without a redirect: ${html}`);
  await fetch(location);
}

function ignore(): void {}
