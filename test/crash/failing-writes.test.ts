import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callControl } from '../../src/operations/control/client.ts';
import { createLevelLog } from '../../src/event-store/engines/level.ts';
import type { EventLog } from '../../src/event-store/event-log.ts';
import { LogUnavailable } from '../../src/event-store/event-log.ts';
import { FailingLevel } from '../support/failing-level.ts';
import { REDIRECT_URI, runningService, type TestResponse, type RunningService } from '../support/running-service.ts';
import { SERVE, startServer, type ServerProcess } from '../support/server-process.ts';

const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };

describe('a write that fails', () => {
  let directory: string;
  let disk: FailingLevel;
  let log: EventLog;
  let running: RunningService;

  async function openLog(): Promise<void> {
    disk = new FailingLevel(join(directory, 'log'));
    await disk.open();
    log = await createLevelLog(disk);
  }

  /** Reopens the log and replays it, as a new process would. */
  async function restart(): Promise<void> {
    await log.close();
    await openLog();
    await running.restart();
  }

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-failing-'));
    await openLog();
    running = await runningService({
      log: new Proxy(log, { get: (_first, name) => Reflect.get(log, name) as unknown }),
    });
  });
  afterEach(async () => {
    await running.close().catch((error: unknown) => {
      // Failed requests are expected; other failures are not.
      for (const failure of running.unexpected) if (!(failure instanceof LogUnavailable)) throw error;
    });
    rmSync(directory, { recursive: true });
  });

  it('causes a JSON response with status 503 and a request id, for this request and every later one', async () => {
    const client = await running.addClient();
    expect((await running.token(client, CLIENT_CREDENTIALS)).status).to.equal(200);
    disk.writeError = new Error('no space left on device');
    const responses = await Promise.all(Array.from({ length: 5 }, () => running.token(client, CLIENT_CREDENTIALS)));
    disk.writeError = undefined; // too late, because only a replay shows which events are stored
    responses.push(await running.token(client, CLIENT_CREDENTIALS));
    for (const response of responses) expectUnavailable(response);
    expect(running.unexpected).to.have.length(6);
  });

  it('makes /readyz respond with 503, but not /healthz', async () => {
    const client = await running.addClient();
    expect((await running.get('/readyz')).status).to.equal(200);
    disk.writeError = new Error('no space left on device');
    await running.token(client, CLIENT_CREDENTIALS);
    const readiness = await running.get('/readyz');
    expect(readiness.status).to.equal(503);
    expect(readiness.json).to.deep.equal({ status: 'not ready', detail: 'the event log does not accept appends' });
    expect((await running.get('/healthz')).status).to.equal(200);
  });

  it('leaves projections, codes and rotations unchanged', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    const code = await running.authorize(client, user);
    const { json: tokens } = await running.token(client, { grant_type: 'password', ...user });
    const { projector } = running.service();
    const [digests, position, storedEvents] = [projector.digests(), projector.position(), await running.events()];

    disk.writeError = new Error('no space left on device');
    const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens?.['refresh_token']) };
    expectUnavailable(
      await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }),
    );
    expectUnavailable(await running.token(client, refresh));
    expectUnavailable(
      await running.post(
        '/o/revoke_token/',
        { token: String(tokens?.['access_token']) },
        { authorization: client.basic },
      ),
    );
    expect(projector.digests()).to.deep.equal(digests);
    expect(projector.position()).to.equal(position);
    expect(await running.events()).to.deep.equal(storedEvents);
    expect(
      (await running.get('/users/', { authorization: `Bearer ${String(tokens?.['access_token'])}` })).status,
    ).to.equal(200);
  });

  it('leaves the code valid after a restart if the events were not stored', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    const redemption = {
      grant_type: 'authorization_code',
      code: await running.authorize(client, user),
      redirect_uri: REDIRECT_URI,
    };
    disk.writeError = new Error('no space left on device');
    expectUnavailable(await running.token(client, redemption));
    await restart();
    expect((await running.token(client, redemption)).status).to.equal(200);
  });

  it('leaves the code redeemed after a restart if the events were stored anyway', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    const redemption = {
      grant_type: 'authorization_code',
      code: await running.authorize(client, user),
      redirect_uri: REDIRECT_URI,
    };
    Object.assign(disk, { writeError: new Error('input/output error'), storesFailedWrites: true });
    expectUnavailable(await running.token(client, redemption));
    await restart();
    expect((await running.token(client, redemption)).json).to.include({ error: 'invalid_grant' });
  });

  it('does not lose a refresh if the events were stored anyway: a retry after a restart succeeds', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    const { json: tokens } = await running.token(client, { grant_type: 'password', ...user });
    const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens?.['refresh_token']) };
    Object.assign(disk, { writeError: new Error('input/output error'), storesFailedWrites: true });
    expectUnavailable(await running.token(client, refresh));
    await restart();
    const countBefore = (await running.events()).length;
    const { status, json } = await running.token(client, refresh);
    expect(status).to.equal(200);
    expect(await running.events()).to.have.length(countBefore);
    expect(
      (await running.get('/users/', { authorization: `Bearer ${String(json?.['access_token'])}` })).status,
    ).to.equal(200);
  });
});

describe('a full disk', function () {
  this.timeout(180_000);

  let dataDir: string;
  let servers: ServerProcess[];
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-full-'));
    servers = [];
  });
  afterEach(async () => {
    await Promise.all(servers.map(({ destroy }) => destroy()));
    rmSync(dataDir, { recursive: true });
  });

  it('stops the server with status 1, logs the reason, and loses no acknowledged token', async () => {
    // Limits files to 128 blocks of 512 bytes, which a few hundred tokens exceed.
    const serverWithFullDisk = await startServer(dataDir, {
      command: ['sh', '-c', `ulimit -f 128 && exec "$@"`, 'sh', ...SERVE],
    });
    servers.push(serverWithFullDisk);
    const basic = await registerClient(dataDir);
    const acknowledgedTokens: string[] = [];
    const requestToken = (): Promise<Response> =>
      fetch(`${serverWithFullDisk.origin}/o/token/`, {
        method: 'POST',
        headers: { authorization: basic },
        body: new URLSearchParams(CLIENT_CREDENTIALS),
      });
    for (;;) {
      const response = await requestToken();
      if (response.status !== 200) {
        expect(response.status).to.equal(503);
        expect(await response.json()).to.have.all.keys('error', 'error_description', 'request_id');
        break;
      }
      acknowledgedTokens.push(((await response.json()) as { access_token: string }).access_token);
    }
    expect(await serverWithFullDisk.exitStatus).to.equal(1);
    expect(serverWithFullDisk.output()).to.contain('the event log failed; stopping');
    expect(acknowledgedTokens).to.have.length.above(20);

    const serverWithSpace = await startServer(dataDir);
    servers.push(serverWithSpace);
    for (const token of acknowledgedTokens) {
      const { status } = await fetch(`${serverWithSpace.origin}/users/`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(status).to.equal(200);
    }
    serverWithSpace.kill('SIGTERM');
    expect(await serverWithSpace.exitStatus).to.equal(0);
  });
});

function expectUnavailable({ status, headers, text, json }: TestResponse): void {
  expect(status).to.equal(503);
  expect(headers.get('retry-after')).to.match(/^\d+$/);
  expect(json).to.have.all.keys('error', 'error_description', 'request_id');
  expect(json?.['error']).to.equal('temporarily_unavailable');
  expect(json?.['request_id']).to.equal(headers.get('x-request-id')).and.to.be.a('string');
  expect(text).not.to.match(/no space left|\bat .*\.[jt]s|Error:|level/i);
}

async function registerClient(dataDir: string): Promise<string> {
  const input = {
    name: 'Test',
    clientType: 'confidential',
    grantTypes: ['client-credentials'],
    redirectUris: [],
    allowedOrigins: [],
    skipAuthorization: false,
    owner: null,
    credentials: null,
  };
  for await (const result of callControl(join(dataDir, 'control.sock'), 'client add', input)) {
    const { client_id: id, client_secret: secret } = result as { client_id: string; client_secret: string };
    return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  }
  throw new Error('the server did not respond');
}
