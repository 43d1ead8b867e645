import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { expectRefusal, expectTokens, expectNothingAppended } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const SCOPES = { read: 'Read', write: 'Write', groups: 'Groups', introspection: 'Introspect tokens' };
const NOW = Date.UTC(2026, 0, 1) / 1000;

function expectInactive(response: TestResponse): void {
  expect({ status: response.status, text: response.text }).to.deep.equal({ status: 200, text: '{"active":false}' });
  expect(response.headers.get('cache-control')).to.equal('no-store');
}

describe('RFC 7662: introspection', () => {
  let running: RunningService;
  let client: TestClient;
  let resourceServer: TestClient;
  let owner: TestUser;
  let tokens: { readonly access: string; readonly refresh: string };

  async function start(settings = {}): Promise<void> {
    running = await runningService({ settings: { scopes: SCOPES, ...settings } });
    client = await running.addClient();
    resourceServer = await running.addClient({ restrictedScopes: ['introspection'] });
    owner = await running.addUser();
    const response = await running.token(client, {
      grant_type: 'password',
      username: owner.username,
      password: owner.password,
      scope: 'read write',
    });
    tokens = expectTokens(response, { scope: 'read write', refresh: true });
  }
  beforeEach(() => start());
  afterEach(() => running.close());

  const introspect = (token: string, caller = resourceServer): Promise<TestResponse> =>
    expectNothingAppended(running, () => running.post('/o/introspect/', { token }, { authorization: caller.basic }));
  const introspectWithBearer = (token: string, bearer: string): Promise<TestResponse> =>
    expectNothingAppended(running, () =>
      running.post('/o/introspect/', { token }, { authorization: `Bearer ${bearer}` }),
    );

  it('describes any valid access token to a resource server', async () => {
    const { status, headers, json } = await introspect(tokens.access);
    expect(status).to.equal(200);
    expect(headers.get('cache-control')).to.equal('no-store');
    const { sub, ...members } = json ?? {};
    expect(sub).to.be.a('string').and.not.to.equal(owner.username);
    expect(members).to.deep.equal({
      active: true,
      scope: 'read write',
      client_id: client.id,
      username: owner.username,
      token_type: 'Bearer',
      iss: 'http://localhost:8000',
      exp: NOW + 36_000,
      iat: NOW,
      auth_time: NOW,
      acr: 'pwd',
    });
  });

  it('states the client as the subject of a token without a user', async () => {
    const { access } = expectTokens(await running.token(client, { grant_type: 'client_credentials' }), {
      scope: 'read write',
      refresh: false,
    });
    const { json } = await introspect(access);
    expect(json)
      .to.include({ active: true, client_id: client.id, sub: client.id })
      .and.not.to.have.property('username');
  });

  for (const accessTokenFormat of ['opaque', 'jwt'])
    it(`shows the user's pairwise subject, and no user name (${accessTokenFormat})`, async () => {
      const openid = { subjectType: 'pairwise' } as const;
      const redirectUris = ['https://other.example/callback'];
      const pairwiseClient = await running.addClient({ openid, accessTokenFormat });
      const otherClient = await running.addClient({ openid, accessTokenFormat, redirectUris });
      const subjects = [];
      for (const [application, redirect_uri] of [
        [pairwiseClient, REDIRECT_URI],
        [otherClient, ...redirectUris],
      ] as const) {
        const code = await running.authorize(application, owner, { scope: 'openid', redirect_uri });
        const { json } = await running.token(application, { grant_type: 'authorization_code', code, redirect_uri });
        const [access, refresh, idToken] = ['access_token', 'refresh_token', 'id_token'].map((name) =>
          String(json?.[name]),
        ) as [string, string, string];
        const { sub } = decodeJwt(idToken);
        for (const [token, caller] of [
          [access, application],
          [access, resourceServer],
          [refresh, application],
        ] as const)
          expect((await introspect(token, caller)).json)
            .to.include({ active: true, sub })
            .and.not.to.have.property('username');
        if (accessTokenFormat === 'jwt') expect(decodeJwt(access)).to.include({ sub, client_id: application.id });
        subjects.push(sub);
      }
      expect(new Set(subjects)).to.have.lengthOf(2);
    });

  it('returns exactly active: false for any invalid or unknown token', async () => {
    for (const token of ['unknown', '\u0000', 'x'.repeat(60_000), `${tokens.access}x`])
      expectInactive(await introspect(token));
    await running.post('/o/revoke_token/', { token: tokens.access }, { authorization: client.basic });
    expectInactive(await introspect(tokens.access));
    expectInactive(await introspect(tokens.refresh, client));
  });

  it('returns active: false as soon as the token has expired', async () => {
    running.clock.advance(35_999);
    expect((await introspect(tokens.access)).json).to.include({ active: true });
    running.clock.advance(1);
    expectInactive(await introspect(tokens.access));
  });

  it('describes a refresh token only to its client, and only until the token is used', async () => {
    expect((await introspect(tokens.refresh, client)).json).to.include({
      active: true,
      client_id: client.id,
      scope: 'read write',
    });
    expectInactive(await introspect(tokens.refresh));
    await running.token(client, { grant_type: 'refresh_token', refresh_token: tokens.refresh });
    expectInactive(await introspect(tokens.refresh, client));
  });

  it('accepts client credentials in the body, and a path without the trailing slash', async () => {
    const { json } = await running.post('/o/introspect', {
      token: tokens.access,
      client_id: client.id,
      client_secret: client.secret,
    });
    expect(json).to.include({ active: true });
  });

  it('accepts a bearer token only with the introspection scope', async () => {
    const gateway = await running.addClient({ restrictedScopes: ['introspection'] });
    const { json } = await running.token(gateway, { grant_type: 'client_credentials', scope: 'introspection' });
    const bearer = String(json?.['access_token']);
    expect((await introspectWithBearer(tokens.access, bearer)).json).to.include({ active: true });
    expectInactive(await introspectWithBearer('unknown', bearer));
    for (const insufficientToken of [tokens.access, tokens.refresh, 'unknown']) {
      const response = await introspectWithBearer(tokens.access, insufficientToken);
      expectRefusal(response, 'invalid_client');
      expect(response.headers.get('www-authenticate')).to.match(/^Bearer .*error="invalid_token"/);
    }
    running.clock.advance(36_000);
    expectRefusal(await introspectWithBearer(tokens.access, bearer), 'invalid_client');
  });

  it('refuses callers without valid client credentials', async () => {
    const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['password'] });
    const body = { token: tokens.access };
    const requests = [
      () => running.post('/o/introspect/', body),
      () => running.post('/o/introspect/', { ...body, client_id: publicClient.id }),
      () => running.post('/o/introspect/', { ...body, client_id: client.id }),
      () => running.post('/o/introspect/', { ...body, client_id: client.id, client_secret: 'wrong' }),
      () => running.post('/o/introspect/', body, { authorization: 'Basic eDp5' }),
    ];
    for (const request of requests) expectRefusal(await expectNothingAppended(running, request), 'invalid_client');
  });

  it('requires a token in the body', async () => {
    const headers = { authorization: client.basic };
    expectRefusal(await running.post('/o/introspect/', {}, headers), 'invalid_request');
    expectRefusal(await running.post(`/o/introspect/?token=${tokens.access}`, {}, headers), 'invalid_request');
    expectRefusal(await running.get('/o/introspect/', headers), 'invalid_request', 405);
  });

  it("describes only the caller's tokens with introspectionOwnTokensOnly", async () => {
    await running.close();
    await start({ introspectionOwnTokensOnly: true });
    expectInactive(await introspect(tokens.access));
    expect((await introspect(tokens.access, client)).json).to.include({ active: true });
  });

  it('returns active: false after the user is disabled', async () => {
    const { accounts, projections } = running.service();
    const user = projections.users.findByName(owner.username);
    if (user === undefined) throw new Error('no such user');
    await accounts.disable(user, { actor: { kind: 'operator' }, requestId: null });
    expectInactive(await introspect(tokens.access));
    expectInactive(await introspect(tokens.refresh, client));
  });
});
