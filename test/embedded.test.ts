import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { SIGNING_ALGORITHMS } from '../src/domain/values.ts';
import { serveControl } from '../src/operations/control/server.ts';
import { createGrantlog, createHttpServer, type Grantlog } from '../src/index.ts';
import { readEvents } from './support/event-reader.ts';
import { isListening, startServer, type ServerProcess } from './support/server-process.ts';

const PROGRAM = fileURLToPath(new URL('./support/embedding-program.mjs', import.meta.url));
const COMMAND_LINE = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('a program that embeds Grantlog', function () {
  this.timeout(300_000);

  let dataDir: string;
  const running: ServerProcess[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-embedded-'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ destroy }) => destroy()));
    rmSync(dataDir, { recursive: true });
  });

  async function start(): Promise<ServerProcess> {
    const server = await startServer(dataDir, { command: [process.execPath, PROGRAM] });
    running.push(server);
    return server;
  }

  /** Runs the built command line with only the data directory of the program. */
  function grantlog(args: readonly string[], input = '') {
    const { PATH = '' } = process.env;
    const options = { input, encoding: 'utf8', env: { PATH, DATA_DIR: dataDir } } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND_LINE, ...args], options);
    return { status, stdout, stderr };
  }

  function addClient(...options: readonly string[]): { readonly client_id: string; readonly client_secret: string } {
    const { stdout } = grantlog(['client', 'add', '--name', 'Demo', '--type', 'confidential', ...options, '--json']);
    return JSON.parse(stdout) as { readonly client_id: string; readonly client_secret: string };
  }

  const post = (url: string, form: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form) });

  async function requestAuditorToken({ origin }: ServerProcess): Promise<string> {
    const client = addClient('--grant', 'client-credentials', '--allow-scope', 'audit');
    const response = await post(`${origin}/o/token/`, { ...client, grant_type: 'client_credentials', scope: 'audit' });
    return ((await response.json()) as { readonly access_token: string }).access_token;
  }

  it('can be administered from the command line while it runs, like a standalone server', async () => {
    const { origin } = await start();
    const addition = grantlog(['user', 'add', 'ada', '--admin', '--password-stdin'], 'a long password\n');
    expect(addition).to.include({ status: 0, stderr: '' });
    const request = { ...addClient('--grant', 'password'), grant_type: 'password', username: 'ada' };
    expect((await post(`${origin}/o/token/`, { ...request, password: 'a long password' })).status).to.equal(200);
    const refusal = await post(`${origin}/o/token/`, { ...request, password: 'wrong' });
    expect(grantlog(['why', refusal.headers.get('x-request-id') ?? '']).stdout).to.match(/^rule: password-wrong$/m);
    for (const command of ['user list', 'log verify', 'log replay', 'log checkpoint', 'log as-of --position 1']) {
      expect(grantlog(command.split(' ')), command).to.include({ status: 0 });
    }
  });

  it('ends streams, completes requests in flight and closes its log when it stops', async () => {
    const server = await start();
    const stream = await readEvents(server.origin, await requestAuditorToken(server));
    const response = fetch(`${server.origin}/slow`);
    await server.waitForOutput(/a slow request began/);
    const sentBefore = await stream.until(({ id }) => id === 2);
    expect(sentBefore).to.have.lengthOf(2);
    server.kill('SIGTERM');
    await server.waitForOutput(/stopping/);
    expect(await isListening(server.origin)).to.equal(false);
    const events = [...sentBefore, ...(await stream.until(() => false))];
    server.kill('SIGUSR2');
    expect(await (await response).text()).to.equal('done');
    expect(await server.exitStatus, server.output()).to.equal(0);
    expect(existsSync(join(dataDir, 'control.sock'))).to.equal(false);
    const verified = /of (\d+) records, verified against 1 checkpoint /.exec(grantlog(['log', 'verify']).stdout);
    // the keys that sign tokens are introduced in the background
    expect(Number(verified?.[1])).to.be.within(events.length, 2 + SIGNING_ALGORITHMS.length);
  });

  it('logs the set-up link until there is an administrator', async () => {
    const first = await start();
    await first.waitForOutput(/create one at http:\/\/localhost:8000\/accounts\/setup\/\?token=[\w-]{32}/);
    grantlog(['user', 'add', 'ada', '--admin', '--password-stdin'], 'a long password\n');
    first.kill('SIGTERM');
    await first.exitStatus;
    const second = await start();
    second.kill('SIGTERM');
    await second.exitStatus;
    expect(second.output()).not.to.include('/accounts/setup/');
  });

  it('exits even if it does not close the server, and can start again', async () => {
    for (let times = 0; times < 2; times += 1) {
      const env = { DATA_DIR: dataDir, PROGRAM: 'forgets to close' };
      const child = spawn(process.execPath, [PROGRAM], { env, stdio: 'pipe' });
      const [status] = (await once(child, 'close')) as [number];
      expect(status).to.equal(0);
    }
  });
});

describe('the lifecycle of an embedded server', () => {
  let dataDir: string;
  let app: Grantlog;
  let logged: string[];

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-embedded-'));
    logged = [];
    app = await createGrantlog({ dataDir, adminUsername: 'root', adminPassword: 'root password', errorLog });
  });
  afterEach(async () => {
    await app.close();
    rmSync(dataDir, { recursive: true });
  });

  const errorLog = { error: (_details: object, message: string) => void logged.push(message) };
  const errorOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => String(error),
    );
  const socket = (): string => join(dataDir, 'control.sock');

  it('has no control socket before start or after close', async () => {
    expect(existsSync(socket())).to.equal(false);
    await app.start();
    expect(existsSync(socket())).to.equal(true);
    await app.close();
    expect(existsSync(socket())).to.equal(false);
    expect(logged).to.deep.equal([]);
  });

  it('can start once, but not after it was closed', async () => {
    await app.start();
    expect(await errorOf(app.start())).to.match(/was already started/);
    await app.close();
    expect(await errorOf(app.start())).to.match(/was closed/);
  });

  it('fails to start while the control socket is in use, and can start once it is free', async () => {
    const other = await serveControl(socket(), async function* () {
      yield null;
    });
    expect(await errorOf(app.start())).to.match(/another process is already listening on/);
    await other.close();
    await app.start();
  });

  it('closes once, however often close is called, even during or without a start', async () => {
    const starting = app.start();
    const closing = app.close();
    await Promise.all([starting, closing, app.close()]);
    expect(existsSync(socket())).to.equal(false);
    const unstarted = await createGrantlog({ dataDir, errorLog });
    await Promise.all([unstarted.close(), unstarted.close()]);
  });

  it('closes whether or not the HTTP server listens', async () => {
    const servers: Server[] = [];
    for (let times = 0; times < 3; times += 1) {
      const directory = mkdtempSync(join(tmpdir(), 'grantlog-embedded-'));
      const other = await createGrantlog({ dataDir: directory, errorLog });
      const server = createHttpServer(other.callback());
      servers.push(server);
      await other.start({ server });
      if (times > 0) await once(server.listen(0, '127.0.0.1'), 'listening');
      if (times > 1) await new Promise((resolve) => server.close(resolve));
      await other.close();
      rmSync(directory, { recursive: true });
    }
    expect(servers.map(({ listening }) => listening)).to.deep.equal([false, false, false]);
  });
});
