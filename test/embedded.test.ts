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
  const servers: ServerProcess[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-embedded-'));
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(({ destroy }) => destroy()));
    rmSync(dataDir, { recursive: true });
  });

  async function start(): Promise<ServerProcess> {
    const server = await startServer(dataDir, { command: [process.execPath, PROGRAM] });
    servers.push(server);
    return server;
  }

  /** Runs the built command line with nothing but the program's data directory. */
  function runGrantlog(args: readonly string[], input = '') {
    const { PATH = '' } = process.env;
    const options = { input, encoding: 'utf8', env: { PATH, DATA_DIR: dataDir } } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND_LINE, ...args], options);
    return { status, stdout, stderr };
  }

  function addClient(...options: readonly string[]): { readonly client_id: string; readonly client_secret: string } {
    const { stdout } = runGrantlog(['client', 'add', '--name', 'Demo', '--type', 'confidential', ...options, '--json']);
    return JSON.parse(stdout) as { readonly client_id: string; readonly client_secret: string };
  }

  const post = (url: string, form: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form) });

  async function requestAuditorToken({ origin }: ServerProcess): Promise<string> {
    const client = addClient('--grant', 'client-credentials', '--allow-scope', 'audit');
    const response = await post(`${origin}/o/token/`, { ...client, grant_type: 'client_credentials', scope: 'audit' });
    return ((await response.json()) as { readonly access_token: string }).access_token;
  }

  it('can be administered from the command line while it runs, just like a standalone server', async () => {
    const { origin } = await start();
    const addition = runGrantlog(['user', 'add', 'ada', '--admin', '--password-stdin'], 'a long password\n');
    expect(addition).to.include({ status: 0, stderr: '' });
    const request = { ...addClient('--grant', 'password'), grant_type: 'password', username: 'ada' };
    expect((await post(`${origin}/o/token/`, { ...request, password: 'a long password' })).status).to.equal(200);
    const refusal = await post(`${origin}/o/token/`, { ...request, password: 'wrong' });
    expect(runGrantlog(['why', refusal.headers.get('x-request-id') ?? '']).stdout).to.match(/^rule: password-wrong$/m);
    for (const command of ['user list', 'log verify', 'log replay', 'log checkpoint', 'log as-of --position 1']) {
      expect(runGrantlog(command.split(' ')), command).to.include({ status: 0 });
    }
  });

  it('ends streams, completes requests in flight and closes its log when it stops', async () => {
    const server = await start();
    const stream = await readEvents(server.origin, await requestAuditorToken(server));
    const response = fetch(`${server.origin}/slow`);
    await server.waitForOutput(/a slow request began/);
    const eventsBeforeStop = await stream.readUntil(({ id }) => id === 2);
    expect(eventsBeforeStop).to.have.lengthOf(2);
    server.kill('SIGTERM');
    await server.waitForOutput(/stopping/);
    expect(await isListening(server.origin)).to.equal(false);
    const events = [...eventsBeforeStop, ...(await stream.readUntil(() => false))];
    server.kill('SIGUSR2');
    expect(await (await response).text()).to.equal('done');
    expect(await server.exitStatus, server.output()).to.equal(0);
    expect(existsSync(join(dataDir, 'control.sock'))).to.equal(false);
    const match = /of (\d+) records, verified against 1 checkpoint /.exec(runGrantlog(['log', 'verify']).stdout);
    // The signing keys for tokens are introduced in the background.
    expect(Number(match?.[1])).to.be.within(events.length, 2 + SIGNING_ALGORITHMS.length);
  });

  it('logs the set-up link until there is an administrator', async () => {
    const first = await start();
    await first.waitForOutput(/create one at http:\/\/localhost:8000\/accounts\/setup\/\?token=[\w-]{32}/);
    runGrantlog(['user', 'add', 'ada', '--admin', '--password-stdin'], 'a long password\n');
    first.kill('SIGTERM');
    await first.exitStatus;
    const second = await start();
    second.kill('SIGTERM');
    await second.exitStatus;
    expect(second.output()).not.to.include('/accounts/setup/');
  });

  it('exits even if it does not close the server, and can be restarted', async () => {
    for (let round = 0; round < 2; round += 1) {
      const env = { DATA_DIR: dataDir, PROGRAM: 'forgets to close' };
      const child = spawn(process.execPath, [PROGRAM], { env, stdio: 'pipe' });
      const [status] = (await once(child, 'close')) as [number];
      expect(status).to.equal(0);
    }
  });
});

describe('an embedded server', () => {
  let dataDir: string;
  let app: Grantlog;
  let loggedMessages: string[];

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-embedded-'));
    loggedMessages = [];
    app = await createGrantlog({ dataDir, adminUsername: 'root', adminPassword: 'root password', errorLog });
  });
  afterEach(async () => {
    await app.close();
    rmSync(dataDir, { recursive: true });
  });

  const errorLog = { error: (_details: object, message: string) => void loggedMessages.push(message) };
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => String(error),
    );
  const socketPath = (): string => join(dataDir, 'control.sock');

  it('has no control socket before start or after close', async () => {
    expect(existsSync(socketPath())).to.equal(false);
    await app.start();
    expect(existsSync(socketPath())).to.equal(true);
    await app.close();
    expect(existsSync(socketPath())).to.equal(false);
    expect(loggedMessages).to.deep.equal([]);
  });

  it('can start once, but not after it has been closed', async () => {
    await app.start();
    expect(await failureOf(app.start())).to.match(/has already been started/);
    await app.close();
    expect(await failureOf(app.start())).to.match(/has been closed/);
  });

  it('fails to start while the control socket is in use, and can start once it is free', async () => {
    const otherServer = await serveControl(socketPath(), async function* () {
      yield null;
    });
    expect(await failureOf(app.start())).to.match(/another process is already listening on/);
    await otherServer.close();
    await app.start();
  });

  it('closes once, no matter how often close is called, even during startup or without having started', async () => {
    const start = app.start();
    const close = app.close();
    await Promise.all([start, close, app.close()]);
    expect(existsSync(socketPath())).to.equal(false);
    const unstartedApp = await createGrantlog({ dataDir, errorLog });
    await Promise.all([unstartedApp.close(), unstartedApp.close()]);
  });

  it('closes whether or not the HTTP server is listening', async () => {
    const servers: Server[] = [];
    for (let round = 0; round < 3; round += 1) {
      const directory = mkdtempSync(join(tmpdir(), 'grantlog-embedded-'));
      const otherApp = await createGrantlog({ dataDir: directory, errorLog });
      const server = createHttpServer(otherApp.callback());
      servers.push(server);
      await otherApp.start({ server });
      if (round > 0) await once(server.listen(0, '127.0.0.1'), 'listening');
      if (round > 1) await new Promise((resolve) => server.close(resolve));
      await otherApp.close();
      rmSync(directory, { recursive: true });
    }
    expect(servers.map(({ listening }) => listening)).to.deep.equal([false, false, false]);
  });
});
