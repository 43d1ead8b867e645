import { expect } from 'chai';
import { expectTokens } from '../support/protocol-responses.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';

describe('RFC 6750: a bearer token', () => {
  let running: RunningService;
  let client: TestClient;
  let token: string;

  before(async () => {
    running = await runningService();
    client = await running.addClient();
    await running.addUser();
    token = await requestToken('read');
  });
  after(() => running.close());

  const requestToken = async (scope: string): Promise<string> =>
    expectTokens(await running.token(client, { grant_type: 'client_credentials', scope }), { scope, refresh: false })
      .access;
  const get = (authorization?: string, path = '/users/'): Promise<TestResponse> =>
    running.get(path, authorization === undefined ? {} : { authorization });

  it('is accepted in the header, with the scheme in any letter case (§2.1)', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expect((await get(`${scheme} ${token}`)).status).to.equal(200);
  });

  it('is accepted neither in the query nor in the body (§2.2, §2.3)', async () => {
    expect((await get(undefined, `/users/?access_token=${token}`)).status).to.equal(401);
    const writeToken = await requestToken('write');
    const { status } = await running.post('/users/', { username: 'foo', password: 'bar', access_token: writeToken });
    expect(status).to.equal(401);
  });

  it('is requested without an error code if it is missing (§3.1)', async () => {
    const { status, headers, json } = await get();
    expect(status).to.equal(401);
    expect(headers.get('www-authenticate')).to.match(/^Bearer realm="api"(?!.*error=)/);
    expect(json).to.have.all.keys('detail');
  });

  it('is refused with invalid_token if it is unknown, malformed or a different credential (§3.1)', async () => {
    const refreshToken = await (async () => {
      const owner = await running.addUser();
      return expectTokens(
        await running.token(client, {
          grant_type: 'password',
          username: owner.username,
          password: owner.password,
          scope: 'read',
        }),
        { scope: 'read', refresh: true },
      ).refresh;
    })();
    for (const invalidToken of [
      'unknown',
      `${token}x`,
      token.slice(0, -1),
      token.toUpperCase(),
      refreshToken,
      client.secret,
      'a b',
      '',
      `${token} ${token}`,
    ]) {
      const { status, headers, json } = await get(`Bearer ${invalidToken}`);
      expect(status, invalidToken).to.equal(401);
      expect(headers.get('www-authenticate')).to.match(/^Bearer realm="api", error="invalid_token"/);
      expect(json).to.have.all.keys('detail');
    }
  });

  it('is refused with insufficient_scope and the required scope if it lacks a scope (§3.1)', async () => {
    const denials = [
      [
        await running.post('/users/', { username: 'foo', password: 'bar' }, { authorization: `Bearer ${token}` }),
        'write',
      ],
      [await get(`Bearer ${token}`, '/groups/'), 'groups'],
    ] as const;
    for (const [{ status, headers, json }, scope] of denials) {
      expect(status).to.equal(403);
      expect(headers.get('www-authenticate')).to.match(
        new RegExp(`^Bearer .*error="insufficient_scope", scope="${scope}", resource_metadata="[^"]+"$`),
      );
      expect(json).to.deep.equal({
        detail: 'You do not have permission to perform this action.',
        required_scopes: [scope],
      });
    }
  });

  it('takes precedence over a session', async () => {
    const owner = await running.addUser();
    const browser = running.browser();
    await browser.logIn(owner.username, owner.password);
    const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await running.get('/users/', { cookie, authorization: 'Bearer unknown' })).status).to.equal(401);
    expect((await running.get('/groups/', { cookie, authorization: `Bearer ${token}` })).status).to.equal(403);
  });

  it('adds nothing to the log', async () => {
    const eventCount = (await running.events()).length;
    await get(`Bearer ${token}`);
    await get('Bearer unknown');
    await get();
    expect((await running.events()).length).to.equal(eventCount);
  });

  it('is refused from the second it expires', async () => {
    running.clock.advance(35_999);
    expect((await get(`Bearer ${token}`)).status).to.equal(200);
    running.clock.advance(1);
    expect((await get(`Bearer ${token}`)).status).to.equal(401);
  });
});
