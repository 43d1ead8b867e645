import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { START } from '../../src/event-store/event-log.ts';
import { signAssertion, keyPairFor, registerKeys, withAssertion } from '../support/assertions.ts';
import { authorizePath, openSession } from '../support/authorize-requests.ts';
import { hiddenFields } from '../support/browser-session.ts';
import { requestCodes, devicePath } from '../support/devices.ts';
import { allowExchange, exchange, exchangeForToken, introspect, ownToken } from '../support/token-exchange.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ADA = { username: 'ada', password: "ada's password" };

describe('A disabled application', () => {
  let running: RunningService;
  let app: TestClient;
  let api: TestClient;

  beforeEach(async () => {
    running = await runningService();
    await running.addUser('ada');
    app = await running.addClient({ owner: 'ada', name: 'Engine' });
    api = await running.addClient({ name: 'API', restrictedScopes: ['introspection'] });
  });
  afterEach(async () => {
    const auditFindings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) auditFindings.push(item);
    expect(auditFindings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  const setDisabled = (isDisabled: boolean, { id }: TestClient = app) =>
    running.service().registration.setDisabled(id as ClientId, isDisabled, OPERATOR);
  const passwordGrant = () => running.token(app, { grant_type: 'password', ...ADA, scope: 'read' });
  const expectRefused = async (answer: ReturnType<RunningService['token']>) => {
    const { status, json } = await answer;
    expect([status, json?.['error']]).to.deep.equal([400, 'unauthorized_client']);
    expect(running.service().explanations.listByClient(app.id)[0]?.rule).to.equal('client-disabled');
  };

  it('gets no tokens, whatever the grant type or client authentication', async () => {
    const keys = keyPairFor('ES256', 'key');
    const code = await running.authorize(app, ADA);
    const { json } = await passwordGrant();
    await setDisabled(true);
    for (const parameters of [
      { grant_type: 'client_credentials' },
      { grant_type: 'password', ...ADA },
      { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/callback' },
      { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) },
    ])
      await expectRefused(running.token(app, parameters));
    await setDisabled(false);
    await registerKeys(running, app, keys);
    await setDisabled(true);
    const assertion = await signAssertion(running, app, keys);
    const head = running.log.head();
    await expectRefused(running.post('/o/token/', { grant_type: 'client_credentials', ...withAssertion(assertion) }));
    expect(running.log.head(), 'the assertion is not recorded').to.equal(head);
  });

  it('is also refused at the other endpoints', async () => {
    await setDisabled(true);
    const credentials = { client_id: app.id, client_secret: app.secret };
    await expectRefused(running.post('/o/par/', { ...credentials, response_type: 'code' }));
    await expectRefused(running.post('/o/introspect/', { ...credentials, token: 'x' }));
    await expectRefused(running.post('/o/revoke_token/', { ...credentials, token: 'x' }));
  });

  it('cannot be authorized, and users are not redirected to it', async () => {
    const session = await openSession(running, ADA);
    const form = await session.get(authorizePath(app));
    await setDisabled(true);
    const page = await session.get(authorizePath(app));
    expect([page.status, page.location]).to.deep.equal([400, null]);
    expect(page.html).to.include('An administrator has disabled the application');
    const response = await session.submit(form, { allow: 'Authorize' }, '/o/authorize/');
    expect([response.status, response.location]).to.deep.equal([400, null]);
    expect((await running.events()).filter(({ type }) => type === 'ConsentGiven')).to.deep.equal([]);
  });

  it('cannot be authorized for a device', async () => {
    const television = await running.addClient({ clientType: 'public', grantTypes: ['device-code'], redirectUris: [] });
    const { user } = await requestCodes(running, television);
    const session = await openSession(running, ADA);
    const form = await session.get(devicePath(user));
    await setDisabled(true, television);
    expect((await session.get(devicePath(user))).html).to.include('is disabled');
    expect((await session.submit(form, { allow: 'Authorize' })).status).to.equal(403);
  });

  it('has no active tokens, including exchanged ones, until it is enabled again', async () => {
    const clientToken = await ownToken(running, app);
    api = await running.addClient({ grantTypes: ['token-exchange'], restrictedScopes: ['introspection'] });
    await allowExchange(running, api, app);
    const exchangedToken = String((await exchange(running, api, clientToken)).json?.['access_token']);
    const { json } = await passwordGrant();
    const tokens = [clientToken, exchangedToken, String(json?.['access_token'])];
    const activeStates = async () =>
      Promise.all(tokens.map(async (token) => (await introspect(running, api, token))['active']));
    expect(await activeStates()).to.deep.equal([true, true, true]);
    await setDisabled(true);
    expect(await activeStates()).to.deep.equal([false, false, false]);
    const call = await running.get('/users/1/', { authorization: `Bearer ${tokens[2] ?? ''}` });
    expect(call.status).to.equal(401);
    expect(running.service().explanations.listByClient(app.id)[0]?.rule).to.equal('token-client-disabled');
    await setDisabled(false);
    expect(await activeStates()).to.deep.equal([true, true, true]);
    const refreshResponse = await running.token(app, {
      grant_type: 'refresh_token',
      refresh_token: String(json?.['refresh_token']),
    });
    expect(refreshResponse.status).to.equal(200);
  });

  it('suspends all tokens in exchange chains that start from its tokens, and prevents extending them', async () => {
    const options = { grantTypes: ['token-exchange'], redirectUris: [], restrictedScopes: ['introspection'] } as const;
    const [first, second, third] = [
      await running.addClient({ name: 'First', ...options }),
      await running.addClient({ name: 'Second', ...options }),
      await running.addClient({ name: 'Third', ...options }),
    ];
    await allowExchange(running, first, app);
    await allowExchange(running, second, first);
    await allowExchange(running, third, second);
    const rootToken = String((await passwordGrant()).json?.['access_token']);
    const exchangedToken = await exchangeForToken(running, first, rootToken);
    const deepestToken = await exchangeForToken(running, second, exchangedToken);
    const activeStates = async () =>
      Promise.all(
        [rootToken, exchangedToken, deepestToken].map(
          async (token) => (await introspect(running, api, token))['active'],
        ),
      );
    for (const [client, expected] of [
      [app, [false, false, false]],
      [first, [true, false, false]],
      [second, [true, true, false]],
    ] as const) {
      await setDisabled(true, client);
      expect(await activeStates(), client.id).to.deep.equal(expected);
      const { status, json } = await exchange(running, third, deepestToken);
      expect([status, json?.['error']], client.id).to.deep.equal([400, 'invalid_request']);
      await setDisabled(false, client);
      expect(await activeStates(), client.id).to.deep.equal([true, true, true]);
    }
    await exchangeForToken(running, third, deepestToken);
  });

  it('stays disabled after a restart, and when its settings change', async () => {
    await setDisabled(true);
    const registeredClient = running.service().projections.clients.find(app.id)!;
    await running
      .service()
      .registration.update(registeredClient.clientId, { ...registeredClient, name: 'Other' }, OPERATOR);
    await running.restart();
    expect(running.service().projections.clients.find(app.id)?.disabledAt).to.be.a('number');
    await expectRefused(passwordGrant());
  });

  it('is shown as disabled to its owners, who cannot enable it', async () => {
    await setDisabled(true);
    const session = await openSession(running, ADA);
    expect((await session.get('/o/applications/')).html).to.include('Disabled');
    expect((await session.get(`/o/applications/${app.id}/`)).html).to.include('An administrator has disabled');
    const { csrf_token = '' } = hiddenFields((await session.get(`/o/applications/${app.id}/update/`)).html);
    expect((await session.post(`/admin/applications/${app.id}/enable/`, { csrf_token })).status).to.equal(403);
  });

  it('can be disabled and enabled by an administrator, who is the actor of the events', async () => {
    const root = { username: 'root', password: 'the password of root' };
    await running.service().accounts.register({ ...root, roles: ['administrator'] }, OPERATOR);
    const session = await openSession(running, root);
    const path = `/admin/applications/${app.id}/`;
    expect((await session.submit(await session.get(`${path}disable/`), {}, `${path}disable/`)).location).to.equal(path);
    const page = await session.get(path);
    expect(page.html).to.include('Disabled');
    expect((await session.get('/admin/applications/')).html).to.include('disabled');
    await session.submit(page, {}, `${path}enable/`);
    const changes = (await running.events()).filter(({ type }) => /^Client(?:Dis|En)abled$/.test(type));
    expect(changes.map(({ type, actor }) => [type, actor.kind])).to.deep.equal([
      ['ClientDisabled', 'user'],
      ['ClientEnabled', 'user'],
    ]);
  });
});
