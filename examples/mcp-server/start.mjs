// Starts Grantlog with new data, and the MCP server of this example, until Ctrl-C. Then removes the data.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { PORT = '8000', MCP_PORT = '8001' } = process.env;
const issuer = `http://localhost:${PORT}`;
const resource = `http://localhost:${MCP_PORT}/mcp`;
const grantlog = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'grantlog-example-'));
const credentials = join(directory, 'mcp-server.json');
const user = { name: 'alice', password: 'correct horse battery' };
const env = {
  ...process.env,
  PORT,
  ISSUER: issuer,
  RESOURCE: resource,
  DATA_DIR: join(directory, 'data'),
  GRANTLOG_CLIENT_DOCUMENTS: 'any',
  GRANTLOG_DYNAMIC_REGISTRATION: 'open',
  GRANTLOG_REDIRECT_URI_SCHEMES: '["cursor"]',
  GRANTLOG_ADMIN_USERNAME: user.name,
  GRANTLOG_ADMIN_PASSWORD: user.password,
};

/** @type {import('node:child_process').ChildProcess[]} */
const children = [];
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);

await start(grantlog, 'serve');
const scopes = ['--scope', 'notes:read=Read your notes', '--scope', 'notes:write=Add notes'];
execute('resource', 'add', resource, '--name', 'Notes', ...scopes);
const client = ['--name', 'Notes', '--type', 'confidential', '--grant', 'client-credentials', '--json'];
writeFileSync(credentials, execute('client', 'add', ...client), { mode: 0o600 });
await start(fileURLToPath(new URL('server.mjs', import.meta.url)), credentials);
console.log(`
Now call the tools from a second terminal:

  node examples/mcp-server/client.mjs ${resource}

Log in as ${user.name} with the password "${user.password}". Ctrl-C stops both servers and removes their data.`);

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

/** Ends both servers. This also runs when one of them has ended. */
function stop() {
  for (const child of children) child.kill('SIGTERM');
}
