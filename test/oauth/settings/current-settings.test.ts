import { expect } from 'chai';
import { english } from '../../../src/language/english.ts';
import { message } from '../../../src/language/message.ts';
import type { RequestedChange, SettingChanges } from '../../../src/oauth/settings/setting-changes.ts';
import { authorizePath } from '../../support/authorize-requests.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

type Change = RequestedChange;

describe('a setting that is changed while the server runs', () => {
  let running: RunningService;
  afterEach(() => running.close());

  const settingChanges = (): SettingChanges => running.service().settingChanges;

  async function changeSettings(set: Change['set'], reset: Change['reset'] = []): Promise<void> {
    const result = await settingChanges().change({ set, reset }, OPERATOR);
    if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  }

  const problemsWith = async (set: Change['set'], reset: Change['reset'] = []) => {
    const result = await settingChanges().change({ set, reset }, OPERATOR);
    const messages = 'problems' in result ? result.problems : {};
    return Object.fromEntries(Object.entries(messages).map(([name, problem]) => [name, english.text(problem)]));
  };

  async function requestTokenLifetime(): Promise<unknown> {
    const client = await running.addClient();
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    return json?.['expires_in'];
  }

  it('applies from the next request on, even after a restart, until it is reset', async () => {
    running = await runningService();
    expect(await requestTokenLifetime()).to.equal(36_000);
    await changeSettings({ accessTokenLifetimeSeconds: 600 });
    expect(await requestTokenLifetime()).to.equal(600);
    await running.restart();
    expect(await requestTokenLifetime()).to.equal(600);
    await changeSettings({}, ['accessTokenLifetimeSeconds']);
    expect(await requestTokenLifetime()).to.equal(36_000);
  });

  it('overrides only a default, and is shown as ignored after the file sets it', async () => {
    running = await runningService();
    await changeSettings({ accessTokenLifetimeSeconds: 600 });
    await running.restart({ accessTokenLifetimeSeconds: 1_200 });
    expect(await requestTokenLifetime()).to.equal(1_200);
    expect(settingChanges().find('accessTokenLifetimeSeconds')).to.deep.include({
      value: 1_200,
      origin: 'file',
      fixedBy: 'file',
      ignoredBecause: message('ignored-change.file'),
    });
    expect(await problemsWith({ accessTokenLifetimeSeconds: 60 })).to.deep.equal({
      accessTokenLifetimeSeconds:
        'accessTokenLifetimeSeconds: the operator set it in the configuration file; it can be changed only there',
    });
    await changeSettings({}, ['accessTokenLifetimeSeconds']); // removes the ignored change
    expect(settingChanges().ignored()).to.deep.equal([]);
  });

  it('immediately affects metadata, pages, refusals, scopes of tokens and the OpenAPI document', async () => {
    running = await runningService({ settings: { sampleApi: false } });
    const metadata = async () => (await running.get('/.well-known/oauth-authorization-server')).json ?? {};
    const client = await running.addClient();
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    const introspectScope = async () =>
      (await running.post('/o/introspect/', { token: String(json?.['access_token']) }, { authorization: client.basic }))
        .json?.['scope'];
    expect([await introspectScope(), (await metadata())['require_pushed_authorization_requests']]).to.deep.equal([
      'read write',
      false,
    ]);
    expect((await running.get('/accounts/signup/')).status).to.equal(403);
    expect((await running.get(authorizePath(client))).status).to.equal(302);

    await changeSettings({
      requirePar: true,
      pkceMethods: ['S256', 'plain'],
      signup: 'open',
      scopes: { read: 'Read all', fresh: 'New' },
      defaultScopes: { 'client-credentials': ['fresh'] },
    });
    expect(await metadata()).to.deep.include({
      require_pushed_authorization_requests: true,
      code_challenge_methods_supported: ['S256', 'plain'],
    });
    expect((await metadata())['scopes_supported'])
      .to.include('fresh')
      .and.not.include('write');
    expect((await running.get('/accounts/signup/')).status).to.equal(200);
    expect(await introspectScope()).to.equal('read');
    expect((await running.token(client, { grant_type: 'client_credentials' })).json?.['scope']).to.equal('fresh');
    expect((await running.get('/openapi.json')).text).to.include('"fresh":"New"');
    expect((await running.get(authorizePath(client))).text).to.include('pushed');
  });

  it('cannot contradict other settings', async () => {
    running = await runningService({ settings: { defaultScopes: { password: ['groups'] } } });
    expect(await problemsWith({ scopes: { read: 'Read' } })).to.deep.equal({
      scopes: 'defaultScopes: password contains groups, which clients must request by name',
    });
    await changeSettings({ scopes: { read: 'Read', groups: 'Groups', mine: 'Mine' } });
    await changeSettings({ scopeClaims: { mine: ['name'] } });
    expect(await problemsWith({}, ['scopes'])).to.deep.equal({
      scopes: 'scopeClaims: "mine" is not one of the scopes (read, write, groups)',
    });
    await changeSettings({}, ['scopes', 'scopeClaims']);
  });

  it('is refused if its value is invalid or if it is only read at startup', async () => {
    running = await runningService();
    expect(await problemsWith({ accessTokenLifetimeSeconds: 0, port: 8_001, colour: 'blue' })).to.deep.equal({
      accessTokenLifetimeSeconds: 'accessTokenLifetimeSeconds: must be a whole number of seconds from 1 to 315360000',
      port: 'port: it is read at startup; change it in the environment or the file, and restart the server',
      colour: 'colour: unknown setting',
    });
    expect((await running.events()).filter(({ stream }) => stream === 'settings')).to.deep.equal([]);
  });

  it('is ignored after a restart with settings that it contradicts', async () => {
    running = await runningService();
    await changeSettings({ scopes: { only: 'Only' } });
    await running.restart({ readScope: 'read' });
    const ignoredChanges = settingChanges()
      .ignored()
      .map(({ reason, ...rest }) => ({ ...rest, reason: english.text(reason) }));
    expect(ignoredChanges).to.deep.equal([
      { name: 'scopes', value: { only: 'Only' }, reason: 'readScope: "read" is not one of the scopes (only)' },
    ]);
    expect(Object.keys(running.service().config.scopes)).to.include('read').and.not.include('only');
  });

  it('is not recorded if the setting already has the value, by a change or by default', async () => {
    running = await runningService();
    await changeSettings({ accessTokenLifetimeSeconds: 36_000, pkceMethods: ['S256'] });
    await changeSettings({ requirePar: true });
    await changeSettings({ requirePar: true });
    const settingEvents = (await running.events()).filter(({ stream }) => stream === 'settings');
    expect(settingEvents.map(({ data }) => data)).to.deep.equal([{ name: 'requirePar', value: true }]);
    await changeSettings({ requirePar: false });
    expect(settingChanges().find('requirePar')).to.include({ value: false, origin: 'change' });
  });

  it('is recorded, or refused as outdated because of a concurrent change', async () => {
    running = await runningService();
    const lifetimes = [60, 120, 180, 240];
    const results = await Promise.allSettled(
      lifetimes.map((lifetime) =>
        settingChanges().change({ set: { accessTokenLifetimeSeconds: lifetime }, reset: [] }, OPERATOR),
      ),
    );
    const fulfilled = results.filter(({ status }) => status === 'fulfilled');
    const events = (await running.events()).filter(({ type }) => type === 'SettingChanged');
    expect(events.length).to.equal(fulfilled.length);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).to.have.property('name', 'DecisionOutdated');
  });
});
