import { expect } from 'chai';
import { LIMITS, type Limits } from '../../../src/platform/limits/limits.ts';
import { createServerLogs } from '../../../src/cli/server-log.ts';
import { createApp } from '../../../src/http/app.ts';
import type { RequestLine } from '../../../src/platform/metrics/request-lines.ts';
import { appRoutesOf } from '../../support/app-routes.ts';
import { manualClock } from '../../support/manual-clock.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningOptions,
  type RunningService,
} from '../../support/running-service.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

type Line = Readonly<Record<string, unknown>>;

/** A server's real log, kept in memory. */
function memoryLogs(level = 'trace') {
  let text = '';
  const destination = { write: (line: string) => void (text += line), flushSync: () => {} };
  const logs = createServerLogs(level, manualClock(), { isTerminal: false, destination });
  const lines = (): readonly Line[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  return { logs, text: () => text, lines };
}

describe('The request log', () => {
  let running: RunningService;
  let log: ReturnType<typeof memoryLogs>;

  async function start(options: RunningOptions = {}, level = 'trace'): Promise<void> {
    log = memoryLogs(level);
    running = await runningService({
      requestLog: log.logs.requests,
      warn: (fields, message) => log.logs.server.warn(fields, message),
      ...options,
    });
  }

  afterEach(() => running.close());

  it('has one line for each request, with its id, route, outcome, duration and authenticated client', async () => {
    await start();
    const client = await running.addClient();
    const { headers, json } = await running.token(client, { grant_type: 'client_credentials' });
    await running.post('/o/token/', { grant_type: 'client_credentials', client_id: client.id, client_secret: 'wrong' });
    await running.get('/groups/', { authorization: `Bearer ${String(json?.['access_token'])}` });
    await running.get('/no/such/page');
    const [issued, refused, used, unknown, ...otherLines] = log.lines();
    expect(otherLines).to.deep.equal([]);
    expect(issued).to.include({
      level: 30,
      msg: 'request',
      requestId: headers.get('x-request-id'),
      method: 'POST',
      route: '/o/token',
      status: 200,
      ms: 0,
      clientId: client.id,
      grantType: 'client_credentials',
    });
    expect(refused)
      .to.include({ route: '/o/token', status: 401, refusal: 'invalid_client' })
      .and.to.have.property('rule')
      .that.is.a('string');
    expect(refused).and.not.have.any.keys('clientId', 'grantType');
    expect(used).to.include({ route: '/groups', status: 403, clientId: client.id });
    expect(unknown)
      .to.include({ status: 404, method: 'GET' })
      .and.not.have.any.keys('route', 'url', 'path', 'clientId');
  });

  it('names the client that introspects or revokes, and the grant type only for issued tokens', async () => {
    await start();
    const client = await running.addClient();
    for (const path of ['/o/introspect/', '/o/revoke_token/'])
      await running.post(path, { token: 'x' }, { authorization: client.basic });
    for (const line of log.lines())
      expect(line).to.include({ status: 200, clientId: client.id }).and.not.have.property('grantType');
  });

  it('has probes, scrapes and static files at debug level, and no requests at warn level', async () => {
    await start();
    for (const path of ['/healthz', '/readyz', '/metrics', '/static/grantlog.css']) await running.get(path);
    expect(log.lines().map(({ level }) => level)).to.deep.equal([20, 20, 20, 20]);
    await running.close();
    await start({}, 'warn');
    await running.get('/');
    expect(log.text()).to.equal('');
  });

  it("contains the caller's trace if it is well-formed", async () => {
    await start();
    await running.get('/', { traceparent: TRACEPARENT });
    await running.get('/', { traceparent: `${TRACEPARENT}-more` });
    await running.get('/');
    expect(log.lines().map(({ traceparent }) => traceparent)).to.deep.equal([TRACEPARENT, undefined, undefined]);
  });

  it('contains no secret, wherever a caller sends it', async () => {
    const strictLimits = Object.fromEntries(
      Object.entries(LIMITS).map(([name, limit]) => [name, { ...limit, max: 6 }]),
    ) as Limits;
    await start({ limits: strictLimits, settings: { signup: 'open', jsonTokenRequests: true } });
    const user = await running.addUser('ada');
    const client = await running.addClient({ owner: 'ada' });
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const code = await running.authorize(client, user);
    const answer = await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    const tokens = [String(answer.json?.['access_token']), String(answer.json?.['refresh_token'])];
    const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    const secrets = [
      client.secret,
      user.password,
      code,
      ...tokens,
      ...[...browser.cookies()].map(([, value]) => value),
      client.basic.slice('Basic '.length),
    ];
    for (let tries = 0; tries < 8; tries += 1)
      await running.token(client, { grant_type: 'password', username: 'ada', password: 'marked-guess' });
    await sendSecretsEverywhere(secrets, cookie, client.id);
    expect(log.lines()).to.have.length.above(200);
    expect(log.lines().some(({ msg }) => msg === 'a limit refuses requests')).to.equal(true);
    expect(log.text()).not.to.match(/marked/i);
    for (const secret of secrets)
      expect(log.text()).not.to.include(secret).and.not.to.include(encodeURIComponent(secret));
  });

  /** Sends GET and POST to every route, with marked and with real secrets in every part of the request. */
  async function sendSecretsEverywhere(secrets: readonly string[], cookie: string, clientId: string): Promise<void> {
    const [secret = '', password = '', code = '', access = '', refresh = ''] = secrets;
    const app = createApp(running.service(), { error: () => expect.fail('unexpected error') });
    const fields = {
      client_id: clientId,
      client_secret: secret,
      username: 'ada',
      password,
      code,
      refresh_token: refresh,
      token: access,
      code_verifier: 'marked-verifier',
      csrf_token: 'marked-csrf',
      setup: 'marked-setup',
      state: 'marked-state',
      marked_name: 'marked-value',
    };
    for (const { path } of appRoutesOf(app)) {
      const routePath = path
        .replace(/\{.*\}/, '')
        .replaceAll(/[:*]\w+/g, 'marked-path')
        .replaceAll('\\', '');
      for (const target of [
        routePath,
        `${routePath.replace(/\/$/, '')}/marked-more`,
        `${routePath}?${new URLSearchParams({ ...fields, access_token: access }).toString()}`,
      ]) {
        for (const authorization of [
          `Bearer ${access}`,
          target === routePath ? `Basic ${btoa(`${clientId}:marked-secret`)}` : 'Bearer marked-token',
        ]) {
          const headers = {
            authorization,
            accept: '*/*',
            'user-agent': 'marked-agent',
            referer: `http://x/?code=${code}`,
            cookie: `${cookie}; marked=marked`,
            'x-request-id': 'marked-id',
            'x-forwarded-for': 'marked-address',
            traceparent: 'marked-trace',
          };
          const accept = target.startsWith('/o/events') ? 'application/x-ndjson' : '*/*';
          await running.send(target, { headers: { ...headers, accept } });
          await running.send(target, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ ...fields, grant_type: 'password' }).toString(),
          });
        }
      }
      await running.send(routePath, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...fields, grant_type: 'refresh_token' }),
      });
    }
  }
});

const REQUEST_LINE: RequestLine = {
  requestId: 'r',
  method: 'GET',
  route: undefined,
  status: 404,
  ms: 0,
  clientId: undefined,
  grantType: undefined,
  refusal: undefined,
  rule: undefined,
  traceparent: undefined,
};

describe("The server's log", () => {
  it('is written at once and in order, after all earlier request lines', () => {
    const written: string[] = [];
    let buffered: string[] = [];
    const flushSync = (): void => {
      written.push(...buffered);
      buffered = [];
    };
    const { server, requests, flush } = createServerLogs('info', manualClock(), {
      isTerminal: false,
      destination: { write: (line) => void buffered.push(line), flushSync },
    });
    const messages = (): readonly unknown[] => written.map((line) => (JSON.parse(line) as Line)['msg']);
    requests.info(REQUEST_LINE, 'one');
    expect(messages()).to.deep.equal([]);
    server.warn('two');
    expect(messages()).to.deep.equal(['one', 'two']);
    requests.info(REQUEST_LINE, 'three');
    flush();
    expect(messages()).to.deep.equal(['one', 'two', 'three']);
  });
});
