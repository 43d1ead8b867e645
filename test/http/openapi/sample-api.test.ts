import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createApp } from '../../../src/http/app.ts';
import { requirePolicy } from '../../../src/http/pipeline/require-policy.ts';
import { authenticatedOrScope } from '../../../src/policy/policies.ts';
import { hiddenFields, type BrowserSession } from '../../support/browser-session.ts';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../support/running-service.ts';

function list({ text }: TestResponse): readonly Record<string, string>[] {
  return JSON.parse(text) as Record<string, string>[];
}

const RESOURCE = 'resource_metadata="http://localhost:8000/.well-known/oauth-protected-resource"';
const METADATA = `${RESOURCE}, DPoP algs="ES256 PS256 RS256 EdDSA Ed25519"`;
const NO_PERMISSION = 'You do not have permission to perform this action.';

describe('the sample API', () => {
  let running: RunningService;
  let client: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    user = await running.addUser('ada');
  });
  afterEach(() => running.close());

  async function authorize(scope: string): Promise<Record<string, string>> {
    const { json } = await running.token(client, { grant_type: 'password', ...user, scope });
    return { authorization: `Bearer ${String(json?.['access_token'])}` };
  }
  async function request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<TestResponse> {
    const response = await fetch(new URL(path, running.origin()), {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined,
    };
  }

  async function callAll(scope: string): Promise<readonly number[]> {
    const headers = await authorize(scope);
    const answers = [
      await running.get('/users/', headers),
      await running.get('/users/1/', headers),
      await running.get('/groups/', headers),
      await running.post('/users/', { username: `by-${scope}`, password: 'bar' }, headers),
    ];
    return answers.map(({ status }) => status);
  }

  describe('when it authenticates the caller,', () => {
    it('responds with 401 and a challenge without an error if there is no token', async () => {
      for (const [method, path, scope] of [
        ['GET', '/users/', 'read'],
        ['GET', '/users/1/', 'read'],
        ['GET', '/groups/', 'groups'],
        ['POST', '/users/', 'write'],
        ['DELETE', '/users/', 'write'],
      ] as const) {
        const { status, headers, text } = await request(method, path, {});
        expect([status, headers.get('www-authenticate'), text]).to.deep.equal([
          401,
          `Bearer realm="api", scope="${scope}", ${METADATA}`,
          '{"detail":"Authentication credentials were not provided."}',
        ]);
        expect(headers.get('content-type')).to.match(/^application\/json/);
      }
    });

    it('responds with 401 and invalid_token to every invalid token in the same way', async () => {
      const validHeaders = await authorize('read');
      const invalidHeaders = [
        'Bearer x',
        'Bearer',
        'Bearer ',
        `${validHeaders['authorization']}x`,
        validHeaders['authorization']?.slice(0, -1) ?? '',
        'Bearer a b',
        'Bearer "x"',
      ];
      for (const authorization of invalidHeaders) {
        const { status, headers, text } = await running.get('/users/', { authorization });
        expect([status, headers.get('www-authenticate'), text], authorization).to.deep.equal([
          401,
          `Bearer realm="api", error="invalid_token", scope="read", ${METADATA}`,
          '{"detail":"The access token is invalid or expired."}',
        ]);
      }
    });

    it('responds with 401 from the exact second of expiry', async () => {
      const headers = await authorize('read');
      running.clock.advance(35_999);
      expect((await running.get('/users/', headers)).status).to.equal(200);
      running.clock.advance(1);
      expect((await running.get('/users/', headers)).status).to.equal(401);
    });

    it('responds with 401 once the token is revoked', async () => {
      const headers = await authorize('read');
      await running.post(
        '/o/revoke_token/',
        { token: headers['authorization']?.slice('Bearer '.length) ?? '' },
        { authorization: client.basic },
      );
      expect((await running.get('/users/', headers)).status).to.equal(401);
    });

    it('responds with 401 to credentials of a different scheme, such as a client secret', async () => {
      const { status, headers } = await running.get('/users/', { authorization: client.basic });
      expect([status, headers.get('www-authenticate')]).to.deep.equal([
        401,
        `Bearer realm="api", scope="read", ${METADATA}`,
      ]);
    });

    it('accepts a token only in the header, ignoring the case of the scheme', async () => {
      const headers = await authorize('read write');
      const token = headers['authorization']?.slice('Bearer '.length) ?? '';
      for (const scheme of ['bearer', 'BEARER', 'Bearer  '])
        expect((await running.get('/users/', { authorization: `${scheme} ${token}` })).status, scheme).to.equal(200);
      expect((await running.get(`/users/?access_token=${token}`)).status).to.equal(401);
      expect(
        (await running.post('/users/', { access_token: token, username: 'foo', password: 'bar' })).status,
      ).to.equal(401);
    });
  });

  describe('when it compares scopes,', () => {
    it('states the missing scope with a 403, in the header and in the body', async () => {
      const { status, headers, json } = await running.post(
        '/users/',
        { username: 'foo', password: 'bar' },
        await authorize('read'),
      );
      expect(status).to.equal(403);
      expect(headers.get('www-authenticate')).to.equal(`Bearer error="insufficient_scope", scope="write", ${RESOURCE}`);
      expect(json).to.deep.equal({ detail: NO_PERMISSION, required_scopes: ['write'] });
    });

    it('responds with 403 to a request for groups with only the read and write scopes', async () => {
      const { status, headers, json } = await running.get('/groups/', await authorize('read write'));
      expect(status).to.equal(403);
      expect(headers.get('www-authenticate')).to.equal(
        `Bearer error="insufficient_scope", scope="groups", ${RESOURCE}`,
      );
      expect(json).to.deep.equal({ detail: NO_PERMISSION, required_scopes: ['groups'] });
    });

    it('permits with each of the scopes read, write and groups only the requests that it covers', async () => {
      expect(await callAll('read')).to.deep.equal([200, 200, 403, 403]);
      expect(await callAll('write')).to.deep.equal([403, 403, 403, 201]);
      expect(await callAll('groups')).to.deep.equal([403, 403, 200, 403]);
      expect(await callAll('read write groups')).to.deep.equal([200, 200, 200, 201]);
    });

    it('treats HEAD and OPTIONS as reading', async () => {
      const readHeaders = await authorize('read');
      const writeHeaders = await authorize('write');
      for (const method of ['HEAD', 'OPTIONS']) {
        expect((await request(method, '/users/', readHeaders)).status, method).to.be.below(300);
        expect((await request(method, '/users/', writeHeaders)).status, method).to.equal(403);
      }
      expect((await request('OPTIONS', '/users/', readHeaders)).headers.get('allow')).to.equal(
        'GET, POST, HEAD, OPTIONS',
      );
    });

    it('accepts a token of a client that acts on its own behalf', async () => {
      const { json } = await running.token(client, { grant_type: 'client_credentials' });
      const headers = { authorization: `Bearer ${String(json?.['access_token'])}` };
      expect((await running.get('/users/', headers)).status).to.equal(200);
      expect((await running.post('/users/', { username: 'foo', password: 'bar' }, headers)).status).to.equal(201);
    });
  });

  describe('checks the caller, the scope, the method, the object and the input in this order:', () => {
    it('authentication comes before the method and the object', async () => {
      expect((await request('DELETE', '/users/', {})).status).to.equal(401);
      expect((await request('GET', '/users/999/', {})).status).to.equal(401);
    });

    it('permission comes before the method and the object', async () => {
      expect((await request('DELETE', '/users/', await authorize('read'))).status).to.equal(403);
      expect((await running.get('/users/999/', await authorize('write'))).status).to.equal(403);
      expect((await request('POST', '/groups/', await authorize('read'))).status).to.equal(403);
    });

    it('the method comes before the object', async () => {
      const headers = await authorize('read write groups');
      for (const [method, path, allow] of [
        ['DELETE', '/users/999/', 'GET, HEAD, OPTIONS'],
        ['PUT', '/users/', 'GET, POST, HEAD, OPTIONS'],
        ['POST', '/groups/', 'GET, HEAD, OPTIONS'],
      ] as const) {
        const answer = await request(method, path, headers);
        expect([answer.status, answer.headers.get('allow'), answer.json]).to.deep.equal([
          405,
          allow,
          { detail: `Method "${method}" not allowed.` },
        ]);
      }
    });

    it('permission comes before the input', async () => {
      expect((await running.post('/users/', { username: '' }, await authorize('read'))).status).to.equal(403);
      expect((await running.get('/users/?limit=none', await authorize('write'))).status).to.equal(403);
    });
  });

  describe('lists', () => {
    it('are plain arrays of objects with four members', async () => {
      const answer = await running.get('/users/', await authorize('read'));
      expect(answer.headers.get('content-type')).to.match(/^application\/json/);
      expect(list(answer)).to.deep.equal([{ username: 'ada', email: '', first_name: '', last_name: '' }]);
    });

    it('of groups contain only names', async () => {
      for (const name of ['Staff', 'Editors'])
        await running.service().groupDirectory.create(name, { actor: { kind: 'operator' }, requestId: null });
      expect(list(await running.get('/groups/', await authorize('groups')))).to.deep.equal([
        { name: 'Staff' },
        { name: 'Editors' },
      ]);
    });

    it('have pages that each link to the next, without gaps, until the end', async () => {
      for (let number = 2; number <= 7; number += 1) await running.addUser(`user${number}`);
      const headers = await authorize('read');
      const usernames: string[] = [];
      let next: string | undefined = '/users/?limit=3';
      const pageLengths: number[] = [];
      while (next !== undefined) {
        const answer: TestResponse = await running.get(next, headers);
        pageLengths.push(list(answer).length);
        usernames.push(...list(answer).map(({ username }) => username ?? ''));
        next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      expect(pageLengths).to.deep.equal([3, 3, 1]);
      expect(usernames).to.deep.equal(['ada', 'user2', 'user3', 'user4', 'user5', 'user6', 'user7']);
    });

    it('are limited: 100 entries by default, and 1000 at most', async () => {
      for (let number = 1; number <= 100; number += 1) await running.addUser(`user${number}`);
      const headers = await authorize('read');
      const firstPage = await running.get('/users/', headers);
      expect(list(firstPage)).to.have.length(100);
      expect(firstPage.headers.get('link')).to.equal('</users/?limit=100&after=100>; rel="next"');
      const { groupDirectory: groups } = running.service();
      for (let number = 1; number <= 1_001; number += 1)
        await groups.create(`group ${number}`, { actor: { kind: 'operator' }, requestId: null });
      const largestPage = await running.get('/groups/?limit=999999', await authorize('groups'));
      expect(list(largestPage)).to.have.length(1_000);
      expect(largestPage.headers.get('link')).to.equal('</groups/?limit=1000&after=1000>; rel="next"');
    });

    it('are refused with 400 for an invalid limit or start', async () => {
      const headers = await authorize('read');
      for (const query of [
        'limit=0',
        'limit=-1',
        'limit=x',
        'limit=1.5',
        'limit=',
        'limit=1&limit=2',
        'after=x',
        'after=-1',
        'limit=9999999999',
        'after=1e3',
      ]) {
        const { status, json } = await running.get(`/users/?${query}`, headers);
        expect([status, json], query).to.deep.equal([
          400,
          { detail: 'limit and after must be whole numbers, and limit must be at least 1.' },
        ]);
      }
      expect(list(await running.get('/users/?after=999999999', headers))).to.deep.equal([]);
    });

    it('exclude erased users', async () => {
      await running.addUser('bob');
      const ada = running.service().projections.users.findByName('ada');
      const { json } = await running.token(client, { grant_type: 'client_credentials' });
      const headers = { authorization: `Bearer ${String(json?.['access_token'])}` };
      if (ada !== undefined)
        await running.service().accounts.erase(ada, { actor: { kind: 'operator' }, requestId: null });
      expect(list(await running.get('/users/', headers)).map(({ username }) => username)).to.deep.equal(['bob']);
      expect((await running.get('/users/1/', headers)).status).to.equal(404);
      expect((await running.get('/users/2/', headers)).status).to.equal(200);
    });
  });

  describe('a user', () => {
    it('is found by id, with and without a trailing slash', async () => {
      const headers = await authorize('read');
      for (const path of ['/users/1/', '/users/1'])
        expect((await running.get(path, headers)).json).to.deep.equal({
          username: 'ada',
          email: '',
          first_name: '',
          last_name: '',
        });
    });

    it('is not found under an unknown id', async () => {
      const headers = await authorize('read');
      for (const pk of ['0', '2', '-1', 'ada', '1.0', '9'.repeat(30), '%00', 'constructor']) {
        const { status, json } = await running.get(`/users/${pk}/`, headers);
        expect([status, json], pk).to.deep.equal([404, { detail: 'Not found.' }]);
      }
    });
  });

  describe('creating a user', () => {
    it('responds with 201 and the four members to the request in the documentation', async () => {
      const answer = await running.post('/users/', 'username=foo&password=bar', await authorize('read write'));
      expect([answer.status, answer.json]).to.deep.equal([
        201,
        { username: 'foo', email: '', first_name: '', last_name: '' },
      ]);
      const fullAnswer = await running.post(
        '/users/',
        { username: 'grace', password: 'hopper', email: 'grace@example.org', first_name: 'Grace', last_name: 'Hopper' },
        await authorize('write'),
      );
      expect(fullAnswer.json).to.deep.equal({
        username: 'grace',
        email: 'grace@example.org',
        first_name: 'Grace',
        last_name: 'Hopper',
      });
      expect(fullAnswer.text).to.not.contain('hopper');
    });

    it('lets the user log in immediately, with the password grant and on the login page', async () => {
      await running.post('/users/', 'username=foo&password=bar', await authorize('write'));
      expect(
        (await running.token(client, { grant_type: 'password', username: 'foo', password: 'bar' })).status,
      ).to.equal(200);
      const browser = running.browser();
      expect((await browser.logIn('foo', 'bar')).status).to.equal(302);
      expect((await browser.get('/o/applications/')).status).to.equal(200);
    });

    it('responds with 400 and a list of messages for each field', async () => {
      const headers = await authorize('write');
      const attempts = [
        [{ username: 'ada', password: 'x' }, { username: ['A user with that username already exists.'] }],
        [{}, { username: ['This field is required.'], password: ['This field is required.'] }],
        [{ username: 'x'.repeat(151), password: 'x' }, { username: ['Use at most 150 characters.'] }],
        [{ username: 'bob', password: 'x', email: 'nowhere' }, { email: ['Enter a valid e-mail address.'] }],
      ] as const;
      for (const [fields, messages] of attempts) {
        const { status, json } = await running.post('/users/', fields, headers);
        expect([status, json]).to.deep.equal([400, messages]);
      }
    });

    it('registers a user name only once, even for concurrent requests', async () => {
      const headers = await authorize('write');
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => running.post('/users/', { username: 'foo', password: 'bar' }, headers)),
      );
      expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).to.deep.equal([
        201, 400, 400, 400, 400, 400, 400, 400,
      ]);
      const registrations = (await running.events()).filter(({ type }) => type === 'UserRegistered');
      expect(registrations).to.have.length(2);
    });

    it('reads only forms, and responds with 415 to other bodies', async () => {
      const headers = { ...(await authorize('write')), 'content-type': 'application/json' };
      const { status, json } = await running.post('/users/', '{"username":"foo","password":"bar"}', headers);
      expect([status, json]).to.deep.equal([
        415,
        { detail: 'The Content-Type must be application/x-www-form-urlencoded.' },
      ]);
    });

    it('responds with 400 to a repeated field and to a malformed form', async () => {
      const headers = await authorize('write');
      for (const body of [
        'username=foo&username=bar&password=x',
        'username=%ZZ&password=x',
        'username=%ff&password=x',
      ]) {
        const { status, json } = await running.post('/users/', body, headers);
        expect(status, body).to.equal(400);
        expect(json?.['detail']).to.be.a('string');
      }
    });

    it('is recorded with the caller as its actor', async () => {
      await running.post('/users/', { username: 'foo', password: 'bar' }, await authorize('write'));
      const event = (await running.events()).findLast(({ type }) => type === 'UserRegistered');
      expect(event?.actor).to.deep.equal({ kind: 'client', id: client.id });
      expect(event?.requestId).to.be.a('string');
      expect(event?.record).to.not.contain('foo');
    });
  });

  describe('for a caller with a session', () => {
    let browser: BrowserSession;
    let cookie: string;
    let csrf: string;
    beforeEach(async () => {
      browser = running.browser();
      await browser.logIn(user.username, user.password);
      csrf = hiddenFields((await browser.get('/o/applications/register/')).html)['csrf_token'] ?? '';
      cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    });

    it('still needs a token, because the policies of these resources accept no session', async () => {
      expect((await running.get('/users/', { cookie })).status).to.equal(401);
      expect((await running.get('/groups/', { cookie })).status).to.equal(401);
      expect(
        (await running.post('/users/', { username: 'foo', password: 'bar' }, { cookie, 'x-csrf-token': csrf })).status,
      ).to.equal(401);
    });

    it('uses only the Authorization header if there is one', async () => {
      expect((await running.get('/users/', { cookie, ...(await authorize('read')) })).status).to.equal(200);
      expect((await running.get('/users/', { cookie, authorization: 'Bearer dead' })).status).to.equal(401);
    });
  });

  it('responds with JSON and no cookie, whatever the caller accepts', async () => {
    for (const accept of ['text/html', '*/*', 'application/xml']) {
      for (const headers of [{ accept }, { accept, ...(await authorize('read')) }]) {
        const answer = await running.get('/users/', headers);
        expect(answer.headers.get('content-type')).to.match(/^application\/json/);
        expect(answer.headers.get('set-cookie')).to.equal(null);
      }
    }
  });

  it('appends nothing for reads and refused requests', async () => {
    const headers = await authorize('read');
    const head = running.log.head();
    await Promise.all([
      running.get('/users/', headers),
      running.get('/users/'),
      running.get('/groups/', headers),
      running.get('/users/1/', headers),
      running.post('/users/', { username: 'foo', password: 'bar' }, headers),
    ]);
    expect(running.log.head()).to.equal(head);
  });
});

describe('an API that is mounted behind the server, and whose policy accepts sessions,', () => {
  let running: RunningService;
  let api: Server;
  let cookie: string;
  let csrf: string;
  beforeEach(async () => {
    running = await runningService();
    const user = await running.addUser('ada');
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    csrf = hiddenFields((await browser.get('/o/applications/register/')).html)['csrf_token'] ?? '';
    cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    const app = createApp(running.service(), { error: (details) => expect.fail(String(details['err'])) });
    app.use(requirePolicy(authenticatedOrScope(['read'])));
    app.use((ctx) => void (ctx.body = ctx.state.principal));
    const handle = app.callback();
    api = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
    await once(api, 'listening');
  });
  afterEach(async () => {
    api.closeAllConnections();
    api.close();
    await running.close();
  });

  const send = (method: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`http://127.0.0.1:${(api.address() as AddressInfo).port}/own/`, { method, headers });
  const call = async (method: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await send(method, headers)).status;

  it('lets a session read, and write only with its CSRF token', async () => {
    expect(await call('GET', {})).to.equal(401);
    expect(await call('GET', { cookie })).to.equal(200);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await call(method, { cookie }), method).to.equal(403);
      expect(await call(method, { cookie, 'x-csrf-token': 'x'.repeat(csrf.length) }), method).to.equal(403);
      expect(await call(method, { cookie, 'x-csrf-token': csrf }), method).to.equal(200);
      expect(await call(method, { 'x-csrf-token': csrf }), method).to.equal(401);
    }
  });

  it('tells a caller with a session that the CSRF token is missing or wrong, and where to send it', async () => {
    const attempts = [
      [{ cookie }, 'csrf-token-missing', 'missing'],
      [{ cookie, 'x-csrf-token': 'x' }, 'csrf-token-wrong', 'incorrect'],
    ] as const;
    for (const [headers, rule, problem] of attempts) {
      const response = await send('POST', headers);
      const { detail, ...rest } = (await response.json()) as { readonly detail: string };
      expect(detail).to.match(new RegExp(`^CSRF token ${problem}: .*X-CSRF-Token header`));
      expect([response.status, rest, response.headers.get('www-authenticate')]).to.deep.equal([403, {}, null]);
      expect(running.service().explanations.find(response.headers.get('x-request-id') ?? '')?.rule).to.equal(rule);
    }
  });

  it('does not mention CSRF to callers without a live session', async () => {
    const { accounts, projections } = running.service();
    await accounts.disable(projections.users.findByName('ada')!, { actor: { kind: 'operator' }, requestId: null });
    expect(await call('POST', { cookie })).to.equal(401);
    expect(await call('POST', { cookie, authorization: 'Bearer dead' })).to.equal(401);
  });

  it('considers only the Authorization header if there is one, even with a session', async () => {
    const client = await running.addClient();
    const requestToken = async (scope: string): Promise<string> => {
      const { json } = await running.token(client, { grant_type: 'client_credentials', scope });
      return `Bearer ${String(json?.['access_token'])}`;
    };
    expect(await call('GET', { cookie, authorization: 'Bearer dead' })).to.equal(401);
    expect(await call('GET', { cookie, authorization: client.basic })).to.equal(401);
    expect(await call('GET', { cookie, authorization: await requestToken('write') })).to.equal(403);
    expect(await call('GET', { authorization: await requestToken('read') })).to.equal(200);
  });

  it('does not accept the session of a disabled user', async () => {
    const ada = running.service().projections.users.findByName('ada');
    if (ada !== undefined)
      await running.service().accounts.disable(ada, { actor: { kind: 'operator' }, requestId: null });
    expect(await call('GET', { cookie })).to.equal(401);
  });

  it('does not accept a modified cookie', async () => {
    const tamperedCookie = cookie.replace(
      /(sig=.)(.)/,
      (_, prefix: string, character: string) => prefix + (character === 'A' ? 'B' : 'A'),
    );
    expect(tamperedCookie).to.not.equal(cookie);
    expect(await call('GET', { cookie: tamperedCookie })).to.equal(401);
  });
});

describe('the sample API when it is turned off', () => {
  it('does not exist', async () => {
    const running = await runningService({ settings: { sampleApi: false } });
    try {
      expect((await running.get('/users/')).status).to.equal(404);
      expect((await running.get('/groups/')).status).to.equal(404);
    } finally {
      await running.close();
    }
  });
});

describe('the sample API with configured scopes for reading and writing', () => {
  it('requires these scopes', async () => {
    const running = await runningService({
      settings: {
        scopes: { look: 'Look', change: 'Change' },
        readScope: 'look',
        writeScope: 'change',
        defaultScopes: { password: ['look'] },
      },
    });
    try {
      const client = await running.addClient();
      const user = await running.addUser();
      const { json } = await running.token(client, { grant_type: 'password', ...user });
      const headers = { authorization: `Bearer ${String(json?.['access_token'])}` };
      expect((await running.get('/users/', headers)).status).to.equal(200);
      expect((await running.post('/users/', { username: 'foo', password: 'bar' }, headers)).json).to.deep.equal({
        detail: NO_PERMISSION,
        required_scopes: ['change'],
      });
    } finally {
      await running.close();
    }
  });
});
