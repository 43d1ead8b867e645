import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { browserSession } from '../support/browser-session.ts';
import { codeBlocksOf, outputPattern, readDocument, ROOT } from '../support/documents.ts';
import { findFreePort } from '../support/free-port.ts';

const blocks = codeBlocksOf(readDocument('docs/mcp.md'));
const SERVER = 'examples/mcp-server/server.mjs';
const MAX_LINES = 39;

describe('docs/mcp.md', function () {
  this.timeout(180_000);

  let directory: string;
  let ports: { readonly grantlog: number; readonly mcp: number };
  let children: ChildProcess[];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-mcp-'));
    ports = { grantlog: await findFreePort(), mcp: await findFreePort() };
    children = [];
  });
  afterEach(async () => {
    await Promise.all(children.map(stop));
    rmSync(directory, { recursive: true, force: true });
  });

  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    PORT: String(ports.grantlog),
    MCP_PORT: String(ports.mcp),
    ISSUER: `http://localhost:${ports.grantlog}`,
    RESOURCE: `http://localhost:${ports.mcp}/mcp`,
    DATA_DIR: join(directory, 'data'),
    TMPDIR: directory,
  });

  /** Returns the commands of an example, with this test's ports and files, and the built program instead of npm. */
  function commandsOf(name: string): string {
    const example = blocks.find(({ runAs }) => runAs === name);
    if (example === undefined) throw new Error(`no example is named ${name}`);
    return example.code
      .replaceAll('localhost:8000', `localhost:${ports.grantlog}`)
      .replaceAll('localhost:8001', `localhost:${ports.mcp}`)
      .replaceAll(/(?:\.\/)?(mcp-(?:server|client)\.json)/g, join(directory, '$1'))
      .replaceAll('npm run -s grantlog --', 'node dist/main.js')
      .replaceAll('npm start', 'exec node dist/main.js serve')
      .replaceAll('npm ci\nnpm run example:mcp', 'exec node examples/mcp-server/start.mjs')
      .replace(/^node (?=examples)/, 'exec node ');
  }

  /** Starts an example and resolves once its output matches `pattern`. */
  async function start(name: string, pattern: RegExp): Promise<RunningProcess> {
    const child = spawn('bash', ['-c', commandsOf(name)], {
      cwd: ROOT,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const running = watchProcess(child);
    await running.waitForOutput(pattern);
    return running;
  }

  /** Runs the client while a user authorizes each of its requests. Resolves with its output. */
  async function runClient(name: string): Promise<string> {
    const client = await start(name, /Open this address/);
    const origin = `http://localhost:${ports.grantlog}`;
    const browser = browserSession(() => origin);
    await browser.logIn('alice', 'correct horse battery');
    for (const count of [1, 2]) {
      const [, address = ''] = await client.waitForOutput(new RegExp(`(?:[^]*? (${origin}/\\S+)\n){${count}}`));
      const { pathname, search } = new URL(address);
      const { location, html } = await browser.submit(await browser.get(pathname + search), { allow: 'Authorize' });
      expect(location, html).to.match(/^http:\/\/127\.0\.0\.1:\d+\/callback\?code=/);
      expect((await fetch(location ?? '')).status).to.equal(200);
    }
    expect(await client.exitStatus, client.output()).to.equal(0);
    return client.output();
  }

  function expectDocumentedOutput(output: string): void {
    const documentedOutput = blocks.find(({ outputOf }) => outputOf === 'client');
    const actual = output.replaceAll(`localhost:${ports.grantlog}`, 'localhost:8000');
    expect(actual).to.match(outputPattern(documentedOutput ?? { code: 'no output is documented' }));
  }

  it('starts Grantlog, an MCP server and a client as described, and leaves no files behind', async () => {
    const servers = await start('start', /Ctrl-C stops/);
    expectDocumentedOutput(await runClient('client'));
    servers.child.kill('SIGINT');
    expect(await servers.exitStatus, servers.output()).to.equal(0);
    const listing = await promisify(execFile)('ls', [directory]);
    expect(listing.stdout).to.equal('');
  });

  it('describes how to protect an existing server', async () => {
    await start('serve', /serving http/);
    for (const name of ['register', 'user', 'register-client'])
      await promisify(execFile)('bash', ['-c', `set -e; ${commandsOf(name)}`], { cwd: ROOT, env: environment() });
    await start('serve-mcp', /serving notes/);
    expectDocumentedOutput(await runClient('own-client'));
    expect(await runClient('registered-client')).to.match(/^list_notes: Buy milk, Buy milk$/m);
  });

  it('shows the whole example, which has fewer than forty non-blank lines', () => {
    const example = readFileSync(join(ROOT, SERVER), 'utf8');
    expect(blocks.filter(({ language }) => language === 'js').map(({ code }) => code)).to.deep.equal([example]);
    const lines = example.split('\n').filter((line) => line.trim() !== '');
    expect(lines.length).to.be.at.most(MAX_LINES);
  });

  it('contains only commands that these tests run', () => {
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ runAs }) => runAs);
    const servers = ['start', 'serve', 'register', 'user', 'serve-mcp'];
    const clients = ['client', 'own-client', 'register-client', 'registered-client'];
    expect(commands).to.have.members([...servers, ...clients]);
  });
});

interface RunningProcess {
  readonly child: ChildProcess;
  readonly exitStatus: Promise<number>;
  output(): string;
  /** Resolves when the output matches `pattern`. @throws Error if the process exits first */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
}

function watchProcess(child: ChildProcess): RunningProcess {
  let output = '';
  const exit = once(child, 'close').then(([status]: (number | null)[]) => status ?? 1);
  const outputListeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const check of outputListeners) check();
    });
  }
  return {
    child,
    exitStatus: exit,
    output: () => output,
    waitForOutput: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const match = pattern.exec(output);
          if (match !== null) resolve(match);
        };
        outputListeners.add(check);
        check();
        void exit.then((status) =>
          reject(new Error(`exited with status ${status} before printing ${pattern}: ${output}`)),
        );
      }),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const close = once(child, 'close');
  child.kill('SIGTERM');
  await close;
}
