import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { MAX_SMALL_CHUNKS } from '../../src/http/pipeline/read-body.ts';
import { hiddenFields } from '../support/browser-session.ts';
import { openRawConnection } from '../support/raw-connection.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningOptions,
  type RunningService,
  type TestClient,
} from '../support/running-service.ts';

const FORM = 'application/x-www-form-urlencoded';
const GRANT = 'grant_type=client_credentials';
const parameters = (count: number, pair = (index: number): string => `x${index}=1`): string =>
  Array.from({ length: count }, (_, index) => pair(index)).join('&');

describe('A form body', () => {
  let running: RunningService;
  let client: TestClient;

  async function start(settings: NonNullable<RunningOptions['settings']> = {}): Promise<void> {
    running = await runningService({ settings });
    client = await running.addClient();
  }
  afterEach(() => running.close());

  const requestToken = (body: string | Uint8Array, headers = {}): Promise<TestResponse> =>
    running.send('/o/token/', {
      method: 'POST',
      body,
      headers: { 'content-type': FORM, authorization: client.basic, ...headers },
    });

  async function expectRefused(answer: TestResponse, status: number): Promise<void> {
    expect(answer.status).to.equal(status);
    expect(answer.json).to.include({ error: 'invalid_request' });
    expect(answer.headers.get('cache-control')).to.equal('no-store');
  }

  it('has at most 100 parameters, with or without values, as do JSON bodies and queries', async () => {
    await start({ jsonTokenRequests: true });
    expect((await requestToken(`${GRANT}&${parameters(99)}`)).status).to.equal(200);
    for (const body of [
      `${GRANT}&${parameters(100)}`,
      `${GRANT}&${parameters(60_000, () => '')}`,
      parameters(20_000, () => 'x'),
    ])
      await expectRefused(await requestToken(body), 400);
    const json = (count: number): string =>
      JSON.stringify({
        grant_type: 'client_credentials',
        ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, '1'])),
      });
    expect((await requestToken(json(99), { 'content-type': 'application/json' })).status).to.equal(200);
    await expectRefused(await requestToken(json(100), { 'content-type': 'application/json' }), 400);
    const page = await running.get(`/o/authorize/?client_id=${client.id}&response_type=code&${parameters(100)}`, {
      accept: 'text/html',
    });
    expect([page.status, page.headers.get('location')]).to.deep.equal([400, null]);
  });

  it('is read as UTF-8 if it is declared as UTF-8, ASCII or Latin-1, and refused if it is compressed', async () => {
    await start();
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'US-ASCII', 'ISO-8859-1']) {
      expect((await requestToken(GRANT, { 'content-type': `${FORM}; charset=${charset}` })).status, charset).to.equal(
        200,
      );
    }
    for (const charset of ['utf-7', 'utf-16', '"utf-16le"', 'ibm037', ''])
      await expectRefused(await requestToken(GRANT, { 'content-type': `${FORM}; charset=${charset}` }), 415);
    for (const coding of ['gzip', 'deflate', 'br', 'x', 'identity, gzip'])
      await expectRefused(await requestToken(gzipSync(GRANT), { 'content-encoding': coding }), 415);
    expect((await requestToken(GRANT, { 'content-encoding': 'identity' })).status).to.equal(200);
  });

  it('cannot set a parameter with brackets, dots or prototype names', async () => {
    await start();
    for (const name of [
      'grant_type[]',
      'grant_type[0]',
      'grant_type.',
      'grant_type[a][b]',
      '__proto__',
      '__proto__[grant_type]',
      'constructor',
      'constructor[prototype][grant_type]',
    ]) {
      await expectRefused(await requestToken(`${name}=client_credentials`), 400);
    }
  });

  it('is refused for the same reasons when it is sent to a page', async () => {
    await start();
    const browser = running.browser();
    await running.addUser('ada');
    const { csrf_token: csrf = '' } = hiddenFields((await browser.get('/accounts/login/')).html);
    const cookie = [...browser.cookies()].map((pair) => pair.join('=')).join('; ');
    const logIn = `csrf_token=${csrf}&username=ada&password=${encodeURIComponent("ada's password")}`;
    const post = (body: string | Uint8Array, headers = {}): Promise<TestResponse> =>
      running.send('/accounts/login/', {
        method: 'POST',
        body,
        headers: { 'content-type': FORM, cookie, accept: 'text/html', ...headers },
      });
    for (const body of [`${logIn}&${parameters(1_000)}`, `${logIn}&x=%zz`, `${logIn}&x=%ff`, `${logIn}&username=bob`])
      expect((await post(body)).status, body.slice(-20)).to.equal(400);
    for (const headers of [{ 'content-encoding': 'gzip' }, { 'content-type': `${FORM}; charset=utf-16` }])
      expect((await post(logIn, headers)).status).to.equal(415);
    const largeBodyResponse = await post(`${logIn}&x=${'x'.repeat(70_000)}`);
    expect([largeBodyResponse.status, largeBodyResponse.headers.get('connection')]).to.deep.equal([413, 'close']);
    for (const name of ['csrf_token[]', 'csrf_token[0]', 'csrf_token.x', 'csrf_token[x]'])
      expect((await post(logIn.replace('csrf_token', encodeURIComponent(name)))).status, name).to.equal(403);
    expect((await post(`${logIn}&${parameters(900)}`)).status).to.equal(302);
  });

  it('is refused if it arrives in thousands of tiny chunks, and its connection is closed immediately', async () => {
    await start();
    for (const path of ['/o/token/', '/accounts/login/']) {
      const connection = await openRawConnection(Number(new URL(running.origin()).port));
      connection.send(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      connection.send('1\r\nx\r\n'.repeat(MAX_SMALL_CHUNKS + 1)); // without a last chunk
      expect(await connection.closed, path).to.match(/^HTTP\/1\.1 413 [^]*connection: close\r\n/i);
    }
  });

  it('is not read for GET or HEAD', async () => {
    await start();
    for (const method of ['GET', 'HEAD']) {
      const connection = await openRawConnection(Number(new URL(running.origin()).port));
      const headers = `Host: localhost\r\nConnection: close\r\nContent-Type: ${FORM}\r\nContent-Length: 70000`;
      connection.send(`${method} /accounts/login/ HTTP/1.1\r\n${headers}\r\n\r\n`);
      expect(await connection.waitForText(/\r\n\r\n/), method).to.match(/^HTTP\/1\.1 200 /);
      connection.destroy();
    }
  });

  it('may repeat a field, so that it can leave out several scopes', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `scope-${index}`);
    await start({
      scopes: Object.fromEntries(names.map((name) => [name, name])),
      readScope: 'scope-0',
      writeScope: 'scope-1',
      defaultScopes: {},
    });
    const { username, password } = await running.addUser('ada');
    const browser = running.browser();
    await browser.logIn(username, password);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: REDIRECT_URI,
      scope: names.join(' '),
    });
    const { location } = await browser.submit(await browser.get(`/o/authorize/?${query.toString()}`), {
      allow: 'yes',
      leave_out: names.slice(0, 59),
    });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const { json } = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    expect(json).to.include({ scope: 'scope-59' });
  });
});
