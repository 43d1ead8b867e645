import { expect } from 'chai';
import { authorizePath, expectErrorRedirect, openSession } from '../../support/authorize-requests.ts';
import { runningService, type Answer, type RunningService, type TestUser } from '../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('the scopes audit and introspection', () => {
  let running: RunningService;
  let alice: TestUser;
  let anna: TestUser;

  beforeEach(async () => {
    running = await runningService();
    alice = await running.addUser('alice');
    anna = { username: 'anna', password: 'the password of an auditor' };
    await running.service().accounts.register({ ...anna, roles: ['auditor'] }, OPERATOR);
  });
  afterEach(() => running.close());

  function expectInvalidScope({ status, json }: Answer): void {
    expect({ status, error: json?.['error'] }).to.deep.equal({ status: 400, error: 'invalid_scope' });
  }

  it('exist on every server, but are in no default', async () => {
    const client = await running.addClient({ restrictedScopes: ['audit', 'introspection'] });
    const { json } = await running.get('/.well-known/oauth-authorization-server');
    expect(json?.['scopes_supported']).to.include('read').and.not.include('audit').and.not.include('introspection');
    expect((await running.token(client, { grant_type: 'client_credentials' })).json).to.include({
      scope: 'read write',
    });
    expect(
      (await running.token(client, { grant_type: 'client_credentials', scope: 'introspection audit' })).json,
    ).to.include({ scope: 'introspection audit' });
  });

  it('are refused in every grant type unless the operator allowed the client to use them', async () => {
    const client = await running.addClient({ restrictedScopes: ['introspection'] });
    for (const scope of ['audit', 'read audit', 'introspection audit']) {
      expectInvalidScope(await running.token(client, { grant_type: 'client_credentials', scope }));
      expectInvalidScope(await running.token(client, { grant_type: 'password', ...anna, scope }));
      const page = await (await openSession(running, anna)).get(authorizePath(client, { scope }));
      expectErrorRedirect(page, 'invalid_scope');
    }
    const { json } = await running.token(client, { grant_type: 'password', ...anna });
    expectInvalidScope(
      await running.token(client, {
        grant_type: 'refresh_token',
        refresh_token: String(json?.['refresh_token']),
        scope: 'audit',
      }),
    );
    expect(await running.token(client, { grant_type: 'client_credentials', scope: 'introspection' })).to.include({
      status: 200,
    });
  });

  it('audit: only auditors and administrators can delegate it', async () => {
    const client = await running.addClient({ restrictedScopes: ['audit'] });
    expectInvalidScope(await running.token(client, { grant_type: 'password', ...alice, scope: 'audit' }));
    expectErrorRedirect(
      await (await openSession(running, alice)).get(authorizePath(client, { scope: 'read audit' })),
      'invalid_scope',
    );
    expectErrorRedirect(
      await (await openSession(running, alice)).get(authorizePath(client, { scope: 'audit', prompt: 'none' })),
      'invalid_scope',
    );

    const byPassword = await running.token(client, { grant_type: 'password', ...anna, scope: 'audit' });
    expect(byPassword.json).to.include({ scope: 'audit' });
    const code = await running.authorize(client, anna, { scope: 'read audit' });
    const byCode = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.example/callback',
    });
    expect(byCode.json).to.include({ scope: 'read audit' });
    const events = await running.get('/o/events/', {
      authorization: `Bearer ${String(byCode.json?.['access_token'])}`,
    });
    expect(events.status).to.equal(200);
  });

  it('disappear from tokens, refreshes and codes when the operator withdraws them, and return with them', async () => {
    const client = await running.addClient({ restrictedScopes: ['audit'] });
    const allow = async (restrictedScopes: readonly string[]): Promise<void> => {
      const { registration, projections } = running.service();
      const known = projections.clients.find(client.id);
      if (known === undefined) throw new Error('no such client');
      await registration.update(known.clientId, { ...known, restrictedScopes }, OPERATOR);
    };
    const granted = await running.token(client, { grant_type: 'password', ...anna, scope: 'read audit' });
    const code = await running.authorize(client, anna, { scope: 'read audit' });
    const status = async (path: string, token: unknown): Promise<number> =>
      (await running.get(path, { authorization: `Bearer ${String(token)}` })).status;

    await allow([]);
    expect(await status('/o/events/', granted.json?.['access_token'])).to.equal(403);
    expect(await status('/users/', granted.json?.['access_token'])).to.equal(200);
    const refreshed = await running.token(client, {
      grant_type: 'refresh_token',
      refresh_token: String(granted.json?.['refresh_token']),
    });
    expect(refreshed.json).to.include({ scope: 'read' });
    expect(await status('/o/events/', refreshed.json?.['access_token'])).to.equal(403);
    const redeemed = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.example/callback',
    });
    expect(redeemed.json).to.include({ scope: 'read' });

    await allow(['audit']);
    expect(await status('/o/events/', refreshed.json?.['access_token'])).to.equal(200);
  });

  for (const accessTokenFormat of ['opaque', 'jwt']) {
    it(`audit: what an auditor delegated is ineffective without the role (${accessTokenFormat})`, async () => {
      const client = await running.addClient({ restrictedScopes: ['audit'], accessTokenFormat });
      const { accounts, projections } = running.service();
      const account = projections.users.findByName('anna') ?? expect.fail();
      const granted = await running.token(client, { grant_type: 'password', ...anna, scope: 'read audit' });
      const code = await running.authorize(client, anna, { scope: 'read audit' });
      const status = async (path: string, token: unknown): Promise<number> =>
        (await running.get(path, { authorization: `Bearer ${String(token)}` })).status;
      expect(await status('/o/events/', granted.json?.['access_token'])).to.equal(200);

      await accounts.changeRoles(account, [], OPERATOR);
      expect(await status('/o/events/', granted.json?.['access_token'])).to.equal(403);
      expect(await status('/users/', granted.json?.['access_token'])).to.equal(200);
      const refreshed = await running.token(client, {
        grant_type: 'refresh_token',
        refresh_token: String(granted.json?.['refresh_token']),
      });
      const redeemed = await running.token(client, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: 'https://app.example/callback',
      });
      for (const { json } of [refreshed, redeemed]) {
        expect(json).to.include({ scope: 'read' });
        const [, claims = ''] = String(json?.['access_token']).split('.');
        if (accessTokenFormat === 'jwt')
          expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).to.include({ scope: 'read' });
      }

      await accounts.changeRoles(account, ['administrator'], OPERATOR);
      expect(await status('/o/events/', refreshed.json?.['access_token'])).to.equal(200);
    });
  }

  it('are up to the operator: the pages neither grant nor withdraw them', async () => {
    const client = await running.addClient({ owner: 'alice', restrictedScopes: ['audit'] });
    const browser = await openSession(running, alice);
    const form = await browser.get(`/o/applications/${client.id}/update/`);
    const { location } = await browser.submit(form, {
      name: 'New name',
      client_type: 'confidential',
      authorization_grant_type: 'password',
      restricted_scopes: 'introspection',
      restrictedScopes: 'introspection',
    });
    expect(location).to.equal(`/o/applications/${client.id}/`);
    expect(running.service().projections.clients.find(client.id)).to.deep.include({
      name: 'New name',
      restrictedScopes: ['audit'],
    });
  });
});
