import { expect } from 'chai';
import { openSession } from '../../../support/authorize-requests.ts';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { setExchangePolicy } from '../../../support/exchange-policies.ts';
import { runningService, type RunningService, type TestClient } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const LIST = '/admin/exchange-policies/';
const ADD = `${LIST}add/`;
const API = 'https://api.example/';

describe('The exchange policy pages', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let broker: TestClient;
  let app: TestClient;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: [API] } });
    const root = { username: 'root', password: 'the password of root' };
    await running.service().accounts.register({ ...root, roles: ['administrator'] }, OPERATOR);
    browser = await openSession(running, root);
    broker = await running.addClient({ name: 'Broker', grantTypes: ['client-credentials', 'token-exchange'] });
    app = await running.addClient({ name: 'App', clientType: 'public', grantTypes: ['authorization-code'] });
  });
  afterEach(() => running.close());

  const send = async (
    formPath: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    session: BrowserSession = browser,
  ) => session.submit(await session.get(formPath), fields, formPath);
  const currentPolicy = () => running.service().projections.exchangePolicies.find(broker.id, app.id);
  const pathOf = () => `${LIST}${currentPolicy()?.policyId ?? ''}/`;
  const clientPair = () => ({ exchange_client: broker.id, exchange_subject: app.id });
  const policyEvents = async () =>
    (await running.events()).filter(({ type }) => type.startsWith('ExchangePolicy')).map(({ type }) => type);

  it('add, show, change and remove a policy, each with an event by the administrator', async () => {
    expect((await browser.get(LIST)).html).to.include('No policies');
    const addition = await send(ADD, { ...clientPair(), exchange_mode: 'delegation' });
    expect([addition.status, addition.location]).to.deep.equal([302, LIST]);
    expect(currentPolicy()).to.deep.include({ modes: ['delegation'], scope: null, resources: null });
    expect((await browser.get(LIST)).html).to.match(/Exchanges tokens of[^]*Broker[^]*App[^]*those of the token/);

    const change = await send(pathOf(), {
      exchange_mode: ['delegation', 'impersonation'],
      exchange_scope: ' read\r\n\r\nwrite read ',
      exchange_resources: API,
    });
    expect(change.location).to.equal(LIST);
    expect(currentPolicy()).to.deep.include({
      modes: ['impersonation', 'delegation'],
      scope: ['read', 'write'],
      resources: [API],
    });

    const removal = await browser.get(`${pathOf()}remove/`);
    expect(removal.html).to.include('Broker will no longer be able to exchange tokens of App.');
    expect((await browser.submit(removal, {}, `${pathOf()}remove/`)).location).to.equal(LIST);
    expect(currentPolicy()).to.equal(undefined);
    expect(await policyEvents()).to.deep.equal(['ExchangePolicySet', 'ExchangePolicySet', 'ExchangePolicyRemoved']);
    const actors = (await running.events())
      .filter(({ type }) => type.startsWith('ExchangePolicy'))
      .map(({ actor }) => actor.kind);
    expect(actors).to.deep.equal(['user', 'user', 'user']);
  });

  it('state each problem, and keep the input in the form', async () => {
    const { status, html } = await send(ADD, {
      exchange_client: app.id,
      exchange_subject: 'nobody',
      exchange_scope: 'openid',
      exchange_resources: 'https://other.example/',
    });
    expect(status).to.equal(422);
    for (const text of [
      'Only a confidential application can exchange tokens.',
      'No application has this client id, so there are no tokens to exchange.',
      'Choose impersonation, delegation or both.',
      'An exchange cannot grant the scope openid.',
      'The resource server https://other.example/ is not known',
    ])
      expect(html).to.include(text);
    const emptyFormPage = await send(ADD, { exchange_client: '', exchange_subject: '', exchange_mode: 'delegation' });
    expect(emptyFormPage.html.match(/-error">Choose an application\./g)).to.have.length(2);
    expect(emptyFormPage.html)
      .to.include('Application that exchanges tokens – Choose an application.')
      .and.match(/<select id="exchange_client"[^>]*autofocus/);
    expect(emptyFormPage.html).to.not.include('No application has this client id');
    expect(html)
      .to.include('value="nobody"')
      .and.to.match(/openid<\/textarea>/);
    expect(await policyEvents()).to.deep.equal([]);
  });

  it('do not replace a policy through the form for a new one, but accept the same form twice', async () => {
    const fields = { ...clientPair(), exchange_mode: 'delegation' };
    await send(ADD, fields);
    expect((await send(ADD, fields)).location).to.equal(LIST);
    const secondResponse = await send(ADD, { ...fields, exchange_mode: 'impersonation' });
    expect(secondResponse.status).to.equal(422);
    expect(secondResponse.html).to.include(
      'These two applications already have a policy. To change it, open it from the list.',
    );
    expect(await policyEvents()).to.deep.equal(['ExchangePolicySet']);
  });

  it('offer applications by name (as exchangers only those with the grant type), and accept names', async () => {
    await running.addClient({ name: 'Ungranted' });
    const { html } = await browser.get(ADD);
    expect(html).to.include('href="/admin/applications/?client_type=confidential"');
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', 'the password of root');
    expect((await german.get(ADD)).html).to.include('fügen Sie den Grant-Typ in ihren Einstellungen hinzu');
    const [, exchangers = '', subjects = ''] = html.split('<select');
    expect(exchangers).to.include(`Broker (${broker.id})`).and.to.not.include('App (').and.to.not.include('Ungranted');
    expect(subjects).to.include(`Broker (${broker.id})`).and.to.include(`App (${app.id})`);
    const fields = { exchange_client: 'Broker', exchange_subject: 'App', exchange_mode: 'delegation' };
    expect((await send(ADD, fields)).location).to.equal(LIST);
    expect(currentPolicy()).to.not.equal(undefined);
  });

  it('ask for an id or a unique name if there are too many applications for a list', async () => {
    const twins = [await running.addClient({ name: 'Twin' }), await running.addClient({ name: 'Twin' })];
    for (let count = 0; count < 100; count += 1) await running.addClient({ name: `Application ${count}` });
    expect((await browser.get(ADD)).html)
      .to.include('Name or client id')
      .and.to.not.include('<select');
    const fields = { exchange_client: 'Twin', exchange_subject: app.id, exchange_mode: 'delegation' };
    expect((await send(ADD, fields)).html).to.include('No application has this client id.');
    expect((await send(ADD, { ...fields, exchange_client: twins[0]?.id ?? '' })).status).to.equal(302);
  });

  it('warn that a policy has no effect while its application is not registered for token exchange', async () => {
    const unregisteredClient = await running.addClient({ name: 'Late' });
    const addition = await send(ADD, {
      ...clientPair(),
      exchange_client: unregisteredClient.id,
      exchange_mode: 'delegation',
    });
    expect(addition.location).to.match(/^\/admin\/exchange-policies\/./);
    const warning = 'Late is not registered for token exchange, so the policy has no effect yet.';
    expect((await browser.get(addition.location ?? '')).html)
      .to.include(warning)
      .and.to.include('--grant token-exchange')
      .and.to.include(`href="/admin/applications/${unregisteredClient.id}/update/"`);
    await send(ADD, { ...clientPair(), exchange_mode: 'delegation' });
    expect((await browser.get(pathOf())).html).to.not.include('has no effect');
  });

  it('refuse an outdated form, which would undo a later change', async () => {
    await setExchangePolicy(running, broker, app);
    const [path, page] = [pathOf(), await browser.get(pathOf())];
    await setExchangePolicy(running, broker, app, { modes: ['impersonation'] });
    const answer = await browser.submit(page, { exchange_mode: 'delegation', exchange_scope: 'read' }, path);
    expect(answer.status).to.equal(409);
    expect(currentPolicy()).to.deep.include({ modes: ['impersonation'], scope: null });
  });

  it('are linked from the pages of both applications', async () => {
    await setExchangePolicy(running, broker, app);
    const link = (name: string) => new RegExp(`<a href="${pathOf()}"><bdi>${name}</bdi></a>`);
    const exchangerPage = await browser.get(`/admin/applications/${broker.id}/`);
    expect(exchangerPage.html).to.include('Exchanges tokens of').and.to.match(link('App'));
    expect(exchangerPage.html).to.not.include('Its tokens are exchanged by');
    const subjectPage = await browser.get(`/admin/applications/${app.id}/`);
    expect(subjectPage.html).to.include('Its tokens are exchanged by').and.to.match(link('Broker'));
  });

  it('no longer exist for a policy that ended with its application', async () => {
    await setExchangePolicy(running, broker, app);
    const path = pathOf();
    const client = running.service().projections.clients.find(app.id) ?? expect.fail('no client');
    await running.service().registration.remove(client.clientId, OPERATOR);
    expect((await browser.get(path)).status).to.equal(404);
    expect((await browser.get(`${path}remove/`)).status).to.equal(404);
    expect((await browser.get(LIST)).html).to.include('No policies');
  });

  it('are only for administrators', async () => {
    await setExchangePolicy(running, broker, app);
    const userBrowser = await openSession(running, await running.addUser());
    for (const path of [LIST, ADD, pathOf(), `${pathOf()}remove/`])
      expect((await userBrowser.get(path)).status).to.equal(403);
  });
});
