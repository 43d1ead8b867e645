import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotRunError } from '../../src/cli/exit.ts';
import { serve, type Servable } from '../../src/cli/serve.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { openService } from '../../src/composition/open-service.ts';
import { openRawConnection, type RawConnection } from '../support/raw-connection.ts';
import { RUN_GRANTLOG } from '../support/typescript.ts';

const emptyResponse: RequestListener = (_request, response) => response.end();
const withFailedLog = (service: Servable): Servable => ({
  ...service,
  log: { ...service.log, failed: Promise.resolve(new Error('disk full')) },
});
const quickHasher = { hash: async () => '$argon2id$quick', verify: async () => true };

describe('serve', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** Serves `app` until `use` has resolved, and returns the exit status and the logged messages. */
  async function serveWhile(
    settings: object,
    app: RequestListener,
    use: (origin: string, controller: AbortController, service: Servable) => Promise<void>,
    change: (service: Servable) => Servable = (service) => service,
  ) {
    const config = configFromSettings({ dataDir: directory, port: 0, ...settings });
    const messages: string[] = [];
    const controller = new AbortController();
    const events = new EventEmitter();
    let service: Servable | undefined;
    const logMessage = (_fields: object, message: string): void => {
      messages.push(message);
      const origin = /^serving .* on (\S+)$/.exec(message)?.[1];
      if (origin !== undefined) setImmediate(() => events.emit('serving', origin));
    };
    const listening = once(events, 'serving') as Promise<[string]>;
    const exitStatus = serve({
      config,
      serverLog: { info: logMessage, error: logMessage, fatal: logMessage },
      showSetupLink: (link) => logMessage({}, link),
      stop: controller.signal,
      createApp: () => app,
      openService: async (serviceConfig, issuer) => {
        service = change(
          await openService(serviceConfig, {
            clock: systemClock,
            entropy: systemEntropy(),
            hasher: quickHasher,
            issuer,
          }),
        );
        return service;
      },
    });
    const usage = listening.then(async ([origin]) => {
      if (service !== undefined) await use(origin, controller, service);
      return controller.abort('enough');
    });
    const status = await exitStatus;
    await usage;
    return { status, messages };
  }

  it('prints its URL, and responds there', async () => {
    const { status, messages } = await serveWhile(
      {},
      (_request, response) => response.end('hello'),
      async (origin) => {
        expect(await (await fetch(origin)).text()).to.equal('hello');
        expect(existsSync(join(directory, 'control.sock'))).to.equal(true);
      },
    );
    expect(status).to.equal(0);
    expect(messages[0]).to.match(/^serving (http:\/\/localhost:\d+) on http:\/\/127\.0\.0\.1:\d+$/);
    expect(existsSync(join(directory, 'control.sock'))).to.equal(false);
  });

  it('finishes a request in flight, accepts no new connection, and then stops', async () => {
    const requests = new EventEmitter();
    const app: RequestListener = (_request, response) => requests.emit('request', response);
    const { status } = await serveWhile({}, app, async (origin, controller) => {
      const firstRequest = once(requests, 'request');
      const pendingResponse = fetch(origin);
      const [response] = await firstRequest;
      controller.abort('enough');
      await new Promise((resolve) => setImmediate(resolve));
      expect(await fetch(origin).catch(() => 'refused')).to.equal('refused');
      response.end('finished');
      expect(await (await pendingResponse).text()).to.equal('finished');
    });
    expect(status).to.equal(0);
  });

  it('stops without waiting for connections that sent nothing or an incomplete request head', async () => {
    const connections: RawConnection[] = [];
    const { status } = await serveWhile({}, emptyResponse, async (origin) => {
      const port = Number(new URL(origin).port);
      connections.push(await openRawConnection(port), await openRawConnection(port));
      connections[1]?.send('GET / HTTP/1.1\r\n');
      expect((await fetch(origin)).status).to.equal(200);
    });
    expect(status).to.equal(0);
    expect(await Promise.all(connections.map(({ closed }) => closed))).to.deep.equal(['', '']);
  });

  it('stops with status 1 when the log fails', async () => {
    const { status, messages } = await serveWhile({}, emptyResponse, async () => {}, withFailedLog);
    expect(status).to.equal(1);
    expect(messages).to.contain('the event log failed; stopping');
  });

  it('checks the stored log in the background, and aborts the check when it stops', async () => {
    const events = new EventEmitter();
    let checkSignal: AbortSignal | undefined;
    const start = async (signal: AbortSignal): Promise<void> => {
      checkSignal = signal;
      await once(events, 'never', { signal }).catch(() => {});
    };
    const watchCheck = (service: Servable): Servable => ({
      ...service,
      backgroundCheck: { ...service.backgroundCheck, start },
    });
    const { status } = await serveWhile({}, emptyResponse, async () => {}, watchCheck);
    expect([status, checkSignal?.aborted]).to.deep.equal([0, true]);
  });

  it('creates the administrator from the settings only once', async () => {
    const settings = { adminUsername: 'root', adminPassword: 'secret' };
    for (let start = 0; start < 2; start += 1) {
      const { messages } = await serveWhile(settings, emptyResponse, async (_origin, _controller, { projections }) => {
        expect(projections.users.all().map(({ username, roles }) => [username, ...roles])).to.deep.equal([
          ['root', 'administrator'],
        ]);
      });
      expect(messages.join()).not.to.contain('/accounts/setup/');
    }
  });

  it('logs a set-up link while there is no administrator', async () => {
    const { messages } = await serveWhile({ issuer: 'https://id.example.org/' }, emptyResponse, async () => {});
    expect(messages[1]).to.match(/^https:\/\/id\.example\.org\/accounts\/setup\/\?token=[\w-]{32}$/);
  });

  it('fails when another server listens on the port, and releases the log', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as AddressInfo;
    const refusal = await serveWhile({ port }, emptyResponse, async () => {}).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(CannotRunError);
    otherServer.close();
    expect((await serveWhile({}, emptyResponse, async () => {})).status).to.equal(0);
  });
});

async function waitForExit(child: ChildProcess, input = ''): Promise<{ status: unknown; out: string; err: string }> {
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  child.stdin?.end(input);
  const [status] = (await once(child, 'close')) as [unknown];
  return { status, ...output };
}

describe('a Grantlog process', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function start(args: readonly string[], env: Record<string, string>): ChildProcess {
    const { PATH = '' } = process.env;
    return spawn(process.execPath, [...RUN_GRANTLOG, ...args], {
      env: { PATH, DATA_DIR: directory, ...env },
    });
  }

  /** Resolves to the URL on which the server listens, once the server has printed it. */
  async function waitForOrigin(server: ChildProcess): Promise<string> {
    let output = '';
    for (;;) {
      const [chunk] = (await once(server.stdout ?? server, 'data')) as [Buffer];
      output += chunk.toString();
      const origin = /on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
      if (origin !== undefined) return origin;
    }
  }

  it('logs its startup steps as lines of JSON, and the set-up link in the last line', async () => {
    const server = start(['serve'], { PORT: '0' });
    const exit = waitForExit(server);
    await waitForOrigin(server);
    server.kill('SIGTERM');
    const lines = (await exit).out.split('\n').filter((line) => line !== '');
    const messages = lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
    expect(messages[0]).to.equal(`opening the event log in ${directory}`);
    expect(messages[1]).to.match(/^serving http/);
    expect(messages[2]).to.match(/^there is no administrator yet; create one at http:\S+\?token=[\w-]{32}$/);
  });

  it('can be administered while it serves, and exits with status 0 on SIGTERM', async () => {
    const server = start(['serve'], { PORT: '0' });
    const exit = waitForExit(server);
    const origin = await waitForOrigin(server);
    expect((await fetch(`${origin}/healthz`)).status).to.equal(200);
    const addition = start(['user', 'add', 'ada', '--password-stdin', '--json'], {});
    expect(await waitForExit(addition, 'long secret\n')).to.deep.equal({
      status: 0,
      out: '{\n  "id": 1,\n  "username": "ada"\n}\n',
      err: '',
    });
    server.kill('SIGTERM');
    expect(await exit).to.include({ status: 0, err: '' });
  });

  it('creates every file with access for its own user only, regardless of its umask', async () => {
    const previousUmask = process.umask(0o022);
    try {
      const admin = { GRANTLOG_ADMIN_USERNAME: 'root', GRANTLOG_ADMIN_PASSWORD: 'correct horse battery' };
      const server = start(['serve'], { PORT: '0', ...admin });
      await waitForOrigin(server);
      server.kill('SIGTERM');
      await once(server, 'close');
      await waitForExit(start(['group', 'add', 'editors'], {}));
    } finally {
      process.umask(previousUmask);
    }
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    expect(entries.some(({ name }) => name.endsWith('.ldb'))).to.equal(true);
    for (const entry of entries) {
      expect(statSync(join(entry.parentPath, entry.name)).mode & 0o077, join(entry.parentPath, entry.name)).to.equal(0);
    }
  });

  it('exits with status 2 and prints a line for each invalid setting', async () => {
    expect(await waitForExit(start(['serve'], { PORT: 'eighty', GRANTLOG_SIGNUP: 'maybe' }))).to.deep.equal({
      status: 2,
      out: '',
      err:
        'grantlog: PORT: must be a whole number from 0 to 65535, not "eighty"\n' +
        'grantlog: GRANTLOG_SIGNUP: must be one of closed, open, not "maybe"\n',
    });
  });

  it('exits without an error message when it is interrupted while it follows the log', async () => {
    await waitForExit(start(['group', 'add', 'editors'], {}));
    const follower = start(['log', 'tail', '--follow'], {});
    const errors: string[] = [];
    follower.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    await once(follower.stdout ?? follower, 'data');
    follower.kill('SIGINT');
    expect(await once(follower, 'close')).to.deep.equal([0, null]);
    expect(errors).to.deep.equal([]);
  });
});
