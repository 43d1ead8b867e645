import { expect } from 'chai';
import { authorizePath, expectErrorRedirect, openSession } from '../../support/authorize-requests.ts';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestUser,
} from '../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('the audit and introspection scopes', () => {
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

  function expectInvalidScope({ status, json }: TestResponse): void {
    expect({ status, error: json?.['error'] }).to.deep.equal({ status: 400, error: 'invalid_scope' });
  }

  it('exist on every server, but are not default scopes', async () => {
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

  it('are refused in every grant type unless the operator has allowed the client to use them', async () => {
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

  it('include audit, which only auditors and administrators can delegate', async () => {
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

    const passwordTokens = await running.token(client, { grant_type: 'password', ...anna, scope: 'audit' });
    expect(passwordTokens.json).to.include({ scope: 'audit' });
    const code = await running.authorize(client, anna, { scope: 'read audit' });
    const codeTokens = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.example/callback',
    });
    expect(codeTokens.json).to.include({ scope: 'read audit' });
    const events = await running.get('/o/events/', {
      authorization: `Bearer ${String(codeTokens.json?.['access_token'])}`,
    });
    expect(events.status).to.equal(200);
  });

  it('have no effect in tokens, refreshes and codes while they are withdrawn from the client', async () => {
    const client = await running.addClient({ restrictedScopes: ['audit'] });
    const allowScopes = async (restrictedScopes: readonly string[]): Promise<void> => {
      const { registration, projections } = running.service();
      const registeredClient = projections.clients.find(client.id);
      if (registeredClient === undefined) throw new Error('no such client');
      await registration.update(registeredClient.clientId, { ...registeredClient, restrictedScopes }, OPERATOR);
    };
    const tokens = await running.token(client, { grant_type: 'password', ...anna, scope: 'read audit' });
    const code = await running.authorize(client, anna, { scope: 'read audit' });
    const getStatus = async (path: string, token: unknown): Promise<number> =>
      (await running.get(path, { authorization: `Bearer ${String(token)}` })).status;

    await allowScopes([]);
    expect(await getStatus('/o/events/', tokens.json?.['access_token'])).to.equal(403);
    expect(await getStatus('/users/', tokens.json?.['access_token'])).to.equal(200);
    const refreshResponse = await running.token(client, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens.json?.['refresh_token']),
    });
    expect(refreshResponse.json).to.include({ scope: 'read' });
    expect(await getStatus('/o/events/', refreshResponse.json?.['access_token'])).to.equal(403);
    const tokenResponse = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.example/callback',
    });
    expect(tokenResponse.json).to.include({ scope: 'read' });

    await allowScopes(['audit']);
    expect(await getStatus('/o/events/', refreshResponse.json?.['access_token'])).to.equal(200);
  });

  for (const accessTokenFormat of ['opaque', 'jwt']) {
    it(`have no effect after an auditor loses the role (audit, ${accessTokenFormat})`, async () => {
      const client = await running.addClient({ restrictedScopes: ['audit'], accessTokenFormat });
      const { accounts, projections } = running.service();
      const account = projections.users.findByName('anna') ?? expect.fail();
      const tokens = await running.token(client, { grant_type: 'password', ...anna, scope: 'read audit' });
      const code = await running.authorize(client, anna, { scope: 'read audit' });
      const getStatus = async (path: string, token: unknown): Promise<number> =>
        (await running.get(path, { authorization: `Bearer ${String(token)}` })).status;
      expect(await getStatus('/o/events/', tokens.json?.['access_token'])).to.equal(200);

      await accounts.changeRoles(account, [], OPERATOR);
      expect(await getStatus('/o/events/', tokens.json?.['access_token'])).to.equal(403);
      expect(await getStatus('/users/', tokens.json?.['access_token'])).to.equal(200);
      const refreshResponse = await running.token(client, {
        grant_type: 'refresh_token',
        refresh_token: String(tokens.json?.['refresh_token']),
      });
      const tokenResponse = await running.token(client, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: 'https://app.example/callback',
      });
      for (const { json } of [refreshResponse, tokenResponse]) {
        expect(json).to.include({ scope: 'read' });
        const [, claims = ''] = String(json?.['access_token']).split('.');
        if (accessTokenFormat === 'jwt')
          expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).to.include({ scope: 'read' });
      }

      await accounts.changeRoles(account, ['administrator'], OPERATOR);
      expect(await getStatus('/o/events/', refreshResponse.json?.['access_token'])).to.equal(200);
    });
  }

  it('can be neither granted nor withdrawn on the developer pages', async () => {
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
