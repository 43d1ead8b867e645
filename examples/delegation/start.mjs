// Starts Grantlog with new data, and the assistant, the tool and the API of this example, until Ctrl-C.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { PORT = '8000', ASSISTANT_PORT = '8001', TOOL_PORT = '8002', API_PORT = '8003' } = process.env;
const issuer = `http://localhost:${PORT}`;
const addressOf = (/** @type {string} */ port) => `http://localhost:${port}`;
const grantlog = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'grantlog-example-'));
const user = { name: 'alice', password: 'correct horse battery' };
const env = {
  ...process.env,
  PORT,
  ISSUER: issuer,
  ASSISTANT: addressOf(ASSISTANT_PORT),
  TOOL: addressOf(TOOL_PORT),
  API: addressOf(API_PORT),
  DATA_DIR: join(directory, 'data'),
  GRANTLOG_ADMIN_USERNAME: user.name,
  GRANTLOG_ADMIN_PASSWORD: user.password,
};

/** @type {import('node:child_process').ChildProcess[]} */
const children = [];
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);

await start(grantlog, 'serve');
execute(
  'resource',
  'add',
  env.TOOL,
  '--name',
  'Travel tool',
  '--scope',
  'trips=Plan trips',
  '--scope',
  'calendar=Read your calendar',
);
execute('resource', 'add', env.API, '--name', 'Calendar', '--scope', 'calendar=Read your calendar');
const assistant = register('Assistant', 'authorization-code', '--redirect-uri', `${env.ASSISTANT}/callback`);
const tool = register('Travel tool', 'token-exchange', '--grant', 'client-credentials');
register('Calendar', 'client-credentials');
// The tool may exchange tokens of the assistant only as an actor, only to read calendars, and only for the calendar
// API.
const limits = ['--mode', 'delegation', '--scope', 'calendar', '--resource', env.API];
execute('exchange-policy', 'set', tool, assistant, ...limits);
for (const name of ['Calendar', 'Travel tool', 'Assistant']) await start(programOf(name), fileOf(name));
console.log(`
Open ${env.ASSISTANT}/ and log in as ${user.name} with the password "${user.password}".
Ctrl-C stops everything and removes its data.`);

/** Registers a confidential client, writes its credentials for its program, and returns its id. */
function register(/** @type {string} */ name, /** @type {string} */ grant, /** @type {string[]} */ ...options) {
  const client = ['--name', name, '--type', 'confidential', '--grant', grant, ...options, '--json'];
  const registration = execute('client', 'add', ...client);
  writeFileSync(fileOf(name), registration, { mode: 0o600 });
  return String(JSON.parse(registration).client_id);
}

/** @param {string} name */
function fileOf(name) {
  return join(directory, `${name}.json`);
}

/** @param {string} name */
function programOf(name) {
  const file = { Assistant: 'assistant.mjs', 'Travel tool': 'tool.mjs', Calendar: 'api.mjs' }[name] ?? '';
  return fileURLToPath(new URL(file, import.meta.url));
}

/**
 * Starts a server, and resolves when it serves.
 * @param {string} program
 * @param {string} argument
 */
async function start(program, argument) {
  const child = spawn(process.execPath, [program, argument], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  child.once('exit', stop);
  await new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ output) => {
      process.stdout.write(output);
      if (/serving \S+ on/.test(output)) resolve(undefined);
    });
  });
}

/**
 * Runs a command of Grantlog.
 * @param {string[]} args
 */
function execute(...args) {
  return execFileSync(process.execPath, [grantlog, ...args], { env, encoding: 'utf8' });
}

/** Ends all servers. This also runs when one of them has ended. */
function stop() {
  for (const child of children) child.kill('SIGTERM');
}
