import { expect } from 'chai';
import { openSession } from '../../../support/authorize-requests.ts';
import type { BrowserSession } from '../../../support/browser-session.ts';
import {
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';
import { startHostileServer } from '../../../support/hostile-server.ts';
import { issuerKeys, OTHER_ISSUER, trustIssuer } from '../../../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const LIST = '/admin/trusted-issuers/';
const ADD = `${LIST}add/`;
const API = 'https://api.example/';

describe('The trusted issuer pages', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let app: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    const egress = { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] };
    running = await runningService({ settings: { resources: [API], ...egress } });
    const root = { username: 'root', password: 'the password of root' };
    await running.service().accounts.register({ ...root, roles: ['administrator'] }, OPERATOR);
    browser = await openSession(running, root);
    app = await running.addClient({ name: 'App' });
    user = await running.addUser();
  });
  afterEach(() => running.close());

  const submitForm = async (
    formPath: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    session: BrowserSession = browser,
  ) => session.submit(await session.get(formPath), fields, formPath);
  const currentIssuer = () => running.service().projections.trustedIssuers.find(OTHER_ISSUER);
  const pathOf = () => `${LIST}${currentIssuer()?.issuerId ?? ''}/`;
  const issuerEventTypes = async () =>
    (await running.events()).filter(({ type }) => type.startsWith('TrustedIssuer')).map(({ type }) => type);
  const validFields = () => ({
    trust_issuer: OTHER_ISSUER,
    client_keys: JSON.stringify({ keys: [issuerKeys().jwk] }),
    trust_use: ['assertion', 'actor-token'],
    trust_clients: app.id,
    trust_mapping: 'client',
    trust_scope: 'read',
    trust_token_lifetime: '3600',
    trust_assertion_age: '600',
  });

  it('let only administrators test the published keys, which are fetched at most once a minute', async () => {
    const server = await startHostileServer((socket) => {
      const body = JSON.stringify({ keys: [issuerKeys().jwk] });
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    const testKeys = async (session: BrowserSession) =>
      session.submit(await session.get(pathOf()), {}, `${pathOf()}test/`);
    try {
      await trustIssuer(running, app, { keysUri: `http://127.0.0.1:${server.port}/keys` });
      expect((await testKeys(browser)).location).to.equal(pathOf());
      expect((await browser.get(pathOf())).html).to.match(/keys has 1 key, for \w+\./);
      await testKeys(browser);
      expect(server.requests).to.have.length(1);
      const userSession = await openSession(running, user);
      expect((await userSession.post(`${pathOf()}test/`, {})).status).to.equal(403);
      expect((await running.browser().post(`${pathOf()}test/`, {})).status).to.equal(403);
      expect(server.requests).to.have.length(1);
    } finally {
      await server.close();
    }
  });

  it('say why the published keys cannot be read, and offer no test for keys that were entered here', async () => {
    const server = await startHostileServer(
      (socket) => void socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n'),
    );
    try {
      await trustIssuer(running, app, { keysUri: `http://127.0.0.1:${server.port}/keys` });
      await browser.submit(await browser.get(pathOf()), {}, `${pathOf()}test/`);
      expect((await browser.get(pathOf())).html).to.include(
        'keys responded with status 404. Tokens from this issuer are refused',
      );
    } finally {
      await server.close();
    }
    await trustIssuer(running, app);
    expect((await browser.get(pathOf())).html).to.not.include(`${pathOf()}test/`);
  });

  it('add, show, change and remove an issuer, and record the administrator as the actor each time', async () => {
    expect((await browser.get(LIST)).html).to.include('No issuers');
    const addition = await submitForm(ADD, validFields());
    expect([addition.status, addition.location]).to.deep.equal([302, LIST]);
    expect(currentIssuer()).to.deep.include({ uses: ['assertion', 'actor-token'], maxAssertionAgeSeconds: 600 });
    expect((await browser.get(LIST)).html)
      .to.include('assertion, actor-token')
      .and.to.include('<bdi>App</bdi>');

    const change = await submitForm(pathOf(), {
      ...validFields(),
      trust_use: 'assertion',
      trust_claims: ' group=a team \r\n\r\n/kubernetes.io/namespace=prod',
      trust_clients: `${app.id} sub=job:7\r\n${app.id} environment=live`,
      trust_mapping: 'table',
      trust_users: `248289=${user.username}`,
      trust_resources: API,
      trust_audience: 'grantlog',
      trust_token_lifetime: '600',
    });
    expect(change.location).to.equal(LIST);
    expect(currentIssuer()).to.deep.include({
      audience: ['grantlog'],
      requiredClaims: [
        { name: 'group', value: 'a team' },
        { name: '/kubernetes.io/namespace', value: 'prod' },
      ],
      clients: [
        {
          clientId: app.id,
          requiredClaims: [
            { name: 'sub', value: 'job:7' },
            { name: 'environment', value: 'live' },
          ],
        },
      ],
      resources: [API],
      maxTokenLifetimeSeconds: 600,
    });

    const removal = await browser.get(`${pathOf()}remove/`);
    expect(removal.html).to.include('All access based on its tokens ends immediately');
    expect((await browser.submit(removal, {}, `${pathOf()}remove/`)).location).to.equal(LIST);
    expect(currentIssuer()).to.equal(undefined);
    expect(await issuerEventTypes()).to.deep.equal(['TrustedIssuerSet', 'TrustedIssuerSet', 'TrustedIssuerRemoved']);
    const actors = (await running.events())
      .filter(({ type }) => type.startsWith('TrustedIssuer'))
      .map(({ actor }) => actor.kind);
    expect(actors).to.deep.equal(['user', 'user', 'user']);
  });

  it('show the settings in the format of the form, so that saving the page unchanged records nothing', async () => {
    await trustIssuer(running, app, { mapping: 'table', users: [`jane=${user.username}`], claims: ['a=b'] });
    const { html } = await browser.get(pathOf());
    const shownFields = Object.fromEntries(
      [...html.matchAll(/<textarea id="(\w+)"[^>]*>\n?([^<]*)/g)].map(([, name = '', text = '']) => [
        name,
        text.replaceAll('&#34;', '"'),
      ]),
    );
    expect(shownFields).to.deep.include({ trust_claims: 'a=b', trust_clients: app.id, trust_scope: 'read' });
    const otherFields = { trust_use: 'assertion', trust_mapping: 'table' };
    expect((await submitForm(pathOf(), { ...validFields(), ...shownFields, ...otherFields })).location).to.equal(LIST);
    expect(await issuerEventTypes()).to.deep.equal(['TrustedIssuerSet']);
  });

  it('accept application names, even with spaces and a claim, and show the name beside the id', async () => {
    const client = await running.addClient({ name: 'Nightly Sync' });
    await running.addClient({ name: 'Nightly' });
    await submitForm(ADD, { ...validFields(), trust_clients: `App\r\nNightly Sync sub=job 7` });
    expect(currentIssuer()?.clients).to.deep.equal([
      { clientId: app.id, requiredClaims: [] },
      { clientId: client.id, requiredClaims: [{ name: 'sub', value: 'job 7' }] },
    ]);
    const link = `<a href="/admin/applications/${client.id}/"><bdi>Nightly Sync</bdi></a></dt><dd><code>${client.id}`;
    expect((await browser.get(pathOf())).html).to.include(link);
  });

  it('reject a name that belongs to no application or to several, and quote it', async () => {
    for (const _ of [1, 2]) await running.addClient({ name: 'Twin' });
    const germanBrowser = running.browser({ 'accept-language': 'de' });
    await germanBrowser.logIn('root', 'the password of root');
    for (const [trust_clients, englishMessage, germanMessage] of [
      ['Nobody Here a=b', 'No application has the name or client id “Nobody Here a=b”.', 'Keine Anwendung hat'],
      ['Apple', 'No application has the name or client id “Apple”.', 'Keine Anwendung hat'],
      ['Twin', 'Several applications have the name “Twin”.', 'Mehrere Anwendungen haben den Namen „Twin“'],
    ] as const) {
      const fields = { ...validFields(), trust_clients };
      expect((await submitForm(ADD, fields)).html).to.include(englishMessage);
      expect((await submitForm(ADD, fields, germanBrowser)).html).to.include(germanMessage);
    }
    expect(await issuerEventTypes()).to.deep.equal([]);
  });

  it('say that an issuer is not a URL, which is allowed, once it has been added and on its own page', async () => {
    await submitForm(ADD, { ...validFields(), trust_issuer: 'ci.example' });
    expect((await browser.get(LIST)).html).to.include('The issuer is not a URL: check that it appears exactly');
    const page = `${LIST}${running.service().projections.trustedIssuers.find('ci.example')?.issuerId}/`;
    expect((await browser.get(page)).html).to.include('The issuer is not a URL.');
    const germanBrowser = running.browser({ 'accept-language': 'de' });
    await germanBrowser.logIn('root', 'the password of root');
    expect((await germanBrowser.get(page)).html).to.include('Der Aussteller ist keine URL.');
    await submitForm(ADD, validFields());
    expect((await browser.get(pathOf())).html).not.to.include('The issuer is not a URL');
  });

  it('report each problem, and keep the input in the form', async () => {
    const { status, html } = await submitForm(ADD, {
      trust_issuer: 'http://localhost:8000',
      client_keys: 'no key',
      trust_scope: 'openid',
    });
    expect(status).to.equal(422);
    expect(html).to.include('Paste public keys as a JWK');
    const refusalWithKeys = await submitForm(ADD, {
      ...validFields(),
      trust_issuer: 'a b',
      trust_scope: 'openid',
      trust_users: 'a=b',
    });
    expect(refusalWithKeys.status).to.equal(422);
    for (const text of [
      'visible characters without spaces',
      'The scope openid needs a login here',
      'Users can be entered only if subjects are looked up in the table.',
    ])
      expect(refusalWithKeys.html).to.include(text);
    expect(refusalWithKeys.html).to.match(/openid<\/textarea>/);
    expect(await issuerEventTypes()).to.deep.equal([]);
  });

  it('do not replace an existing issuer through the form that adds one, but accept the same form twice', async () => {
    await submitForm(ADD, validFields());
    expect((await submitForm(ADD, validFields())).location).to.equal(LIST);
    const changedForm = await submitForm(ADD, { ...validFields(), trust_scope: 'write' });
    expect(changedForm.status).to.equal(422);
    expect(changedForm.html).to.include('This issuer is already trusted. To change it, open it from the list.');
    expect(await issuerEventTypes()).to.deep.equal(['TrustedIssuerSet']);
  });

  it('refuse an outdated form that would undo a later change', async () => {
    await trustIssuer(running, app);
    const [path, page] = [pathOf(), await browser.get(pathOf())];
    await trustIssuer(running, app, { scope: ['write'] });
    const response = await browser.submit(page, { ...validFields(), trust_token_lifetime: '900' }, path);
    expect(response.status).to.equal(409);
    expect(currentIssuer()).to.deep.include({ scope: ['write'], maxTokenLifetimeSeconds: 3_600 });
  });

  it('are only for administrators', async () => {
    await trustIssuer(running, app);
    const userSession = await openSession(running, user);
    for (const path of [LIST, ADD, pathOf(), `${pathOf()}remove/`])
      expect((await userSession.get(path)).status).to.equal(403);
  });
});
