import { expect } from 'chai';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';
import { authorizePath } from '../../../support/authorize-requests.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const PKCE_PATH = '/admin/settings/requirePkce/';

async function logInAsAdministrator(running: RunningService): Promise<{ browser: BrowserSession; user: TestUser }> {
  const user = await running.addUser('root', ['administrator']);
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  return { browser, user };
}

const extractText = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe("A setting's page", () => {
  let running: RunningService;
  let browser: BrowserSession;
  let user: TestUser;

  async function start(settings: object = {}): Promise<void> {
    running = await runningService({ settings: settings as Record<string, unknown> });
    ({ browser, user } = await logInAsAdministrator(running));
  }
  afterEach(() => running.close());

  const valueOf = (name: string): unknown => running.service().settingChanges.find(name)?.value;
  const propose = async (path: string, value: string) =>
    browser.submit(await browser.get(path), { setting_value: value });

  it('shows a forecast before a change, and applies the confirmed change from the next request on', async () => {
    await start();
    const client = await running.addClient({ name: 'Harbour Calendar' });
    await running.authorize(client, user);
    const proposal = await propose(PKCE_PATH, 'all');
    expect(extractText(proposal.html))
      .to.include('1 application would have been refused')
      .and.include('Harbour Calendar');
    expect(extractText(proposal.html)).to.match(
      /The forecast is based on \d+ requests .* that succeeded in the last 30 days \./,
    );
    expect(proposal.html).to.include(`<a href="/admin/applications/${client.id}/"><bdi>Harbour Calendar</bdi></a>`);
    expect(valueOf('requirePkce')).to.equal('public');
    const change = await browser.submit(proposal, {}, `${PKCE_PATH}change/`);
    expect([change.status, change.location]).to.deep.equal([302, PKCE_PATH]);
    expect(valueOf('requirePkce')).to.equal('all');
    const { location } = await browser.get(authorizePath(client));
    expect(location).to.include(`${REDIRECT_URI}?error=invalid_request`);
    const page = extractText((await browser.get(PKCE_PATH)).html);
    expect(page)
      .to.include('“PKCE” was changed. The change takes effect immediately.')
      .and.match(/root changed it .* to: Every client \( all \)/);
    const [event] = (await running.events()).filter(({ type }) => type === 'SettingChanged');
    expect(event?.actor.kind).to.equal('user');
  });

  it('puts the forecast for a different access token lifetime into words', async () => {
    await start();
    const client = await running.addClient({ name: 'Harbour Calendar' });
    await running.token(client, {
      grant_type: 'authorization_code',
      code: await running.authorize(client, user),
      redirect_uri: REDIRECT_URI,
    });
    const path = '/admin/settings/accessTokenLifetimeSeconds/';
    expect(extractText((await propose(path, '600')).html)).to.include(
      'Its access tokens would have been valid for 10 minutes instead of 10 hours.',
    );
    await running.service().settingChanges.change({ set: { accessTokenLifetimeSeconds: 60 }, reset: [] }, OPERATOR);
    expect(extractText((await propose(path, '600')).html)).to.include(
      'Its access tokens would have been valid for 10 minutes.',
    );
  });

  it('offers a forecast only for settings whose effect can be computed from the log', async () => {
    await start();
    expect((await browser.get(PKCE_PATH)).html).to.include('Show the forecast');
    expect((await browser.get('/admin/settings/brandTexts/')).html)
      .to.match(/>\s*Continue<\/button>/)
      .and.not.include('Show the forecast');
  });

  it('resets a setting after a confirmation', async () => {
    await start();
    await running.service().settingChanges.change({ set: { requirePar: true }, reset: [] }, OPERATOR);
    const path = '/admin/settings/requirePar/';
    const resetResponse = await browser.submit(await browser.get(`${path}reset/`), {}, `${path}reset/`);
    expect(resetResponse.location).to.equal(path);
    expect(valueOf('requirePar')).to.equal(false);
    expect((await browser.get(`${path}reset/`)).location).to.equal(path);
  });

  it('rejects an invalid value, or one that contradicts another setting, and keeps it in the form', async () => {
    await start({ defaultScopes: { password: ['groups'] } });
    const invalidProposal = await propose('/admin/settings/accessTokenLifetimeSeconds/', 'an hour');
    expect([invalidProposal.status, invalidProposal.html.includes('value="an hour"')]).to.deep.equal([422, true]);
    expect(extractText(invalidProposal.html))
      .to.include('Please fix')
      .and.include('Enter a number from 1 second to 3,650 days.');
    const contradiction = await propose('/admin/settings/scopes/', '{"read":"Read"}');
    expect([contradiction.status, extractText(contradiction.html).includes('password contains groups')]).to.deep.equal([
      422,
      true,
    ]);
  });

  it('states the line and the cause of a JSON syntax error, and keeps the text in the form', async () => {
    await start();
    const germanBrowser = running.browser({ 'accept-language': 'de' });
    await germanBrowser.logIn(user.username, user.password);
    const path = '/admin/settings/scopes/';
    const input = '{"read": "Read",\n write: "Write"}';
    const refusal = await propose(path, input);
    expect(refusal.status).to.equal(422);
    expect(refusal.html).to.include('Line 2: a name in double quotes was expected here.').and.include(' write: ');
    const germanRefusal = await germanBrowser.submit(await germanBrowser.get(path), { setting_value: input });
    expect(germanRefusal.html).to.include('Zeile 2: Hier muss ein Name in doppelten Anführungszeichen stehen.');
    expect((await propose(path, '{"read": 1}')).html).not.to.include('Line 1');
  });

  it('rejects a value with a member named __proto__', async () => {
    await start();
    const refusal = await propose('/admin/settings/scopeClaims/', '{"read": [], "__proto__": ["name"]}');
    expect([refusal.status, extractText(refusal.html).includes('no member may be named __proto__')]).to.deep.equal([
      422,
      true,
    ]);
    expect(valueOf('scopeClaims')).not.to.have.property('read');
  });

  it('accepts a duration in the selected unit, and several checked values for a list', async () => {
    await start();
    const lifetimePath = '/admin/settings/accessTokenLifetimeSeconds/';
    const page = await browser.get(lifetimePath);
    expect(page.html)
      .to.match(/value="10"/)
      .and.match(/<option value="hours" selected>/);
    const proposal = await browser.submit(page, { setting_value: '90', setting_unit: 'minutes' });
    expect(extractText(proposal.html)).to.include('1 hour 30 minutes');
    await browser.submit(proposal, {}, `${lifetimePath}change/`);
    expect(valueOf('accessTokenLifetimeSeconds')).to.equal(5_400);
    const proposedMethods = await browser.submit(await browser.get('/admin/settings/pkceMethods/'), {
      setting_value: ['S256', 'plain'],
    });
    await browser.submit(proposedMethods, {}, '/admin/settings/pkceMethods/change/');
    expect(valueOf('pkceMethods')).to.deep.equal(['S256', 'plain']);
  });

  it('says that a setting already has the value, and records nothing', async () => {
    await start();
    const refusal = await propose(PKCE_PATH, 'public');
    expect([refusal.status, extractText(refusal.html).includes('The setting already has this value')]).to.deep.equal([
      422,
      true,
    ]);
    expect((await running.events()).filter(({ stream }) => stream === 'settings')).to.deep.equal([]);
  });

  it('restores an earlier value only after a confirmation', async () => {
    await start();
    for (const requirePkce of ['all', 'none'])
      await running.service().settingChanges.change({ set: { requirePkce }, reset: [] }, OPERATOR);
    const page = await browser.get(PKCE_PATH);
    expect(extractText(page.html)).to.include('current value').and.include('Restore this value');
    const [, restoredValue = ''] = /type="hidden" name="setting_value" value="(\w+)"/.exec(page.html) ?? [];
    expect(restoredValue).to.equal('all');
    const proposal = await browser.submit(page, { setting_value: restoredValue });
    expect(valueOf('requirePkce')).to.equal('none');
    await browser.submit(proposal, {}, `${PKCE_PATH}change/`);
    expect(valueOf('requirePkce')).to.equal('all');
  });

  it('neither offers nor accepts a change to a setting from the configuration file', async () => {
    await start({ requirePkce: 'all' });
    const page = await browser.get(PKCE_PATH);
    expect(extractText(page.html)).to.include('The operator set it in the configuration file');
    expect(page.html).to.not.include('name="setting_value"');
    const [, token = ''] = /name="csrf_token" value="([^"]+)"/.exec(page.html) ?? [];
    const forgedChange = await browser.post(`${PKCE_PATH}change/`, { csrf_token: token, setting_value: 'none' });
    expect([forgedChange.status, valueOf('requirePkce')]).to.deep.equal([422, 'all']);
    expect((await browser.get('/admin/settings/nothing/')).status).to.equal(404);
  });

  it('undoes an ignored change to a setting in the configuration file, whose value stays in effect', async () => {
    await start();
    await running.service().settingChanges.change({ set: { requirePkce: 'none' }, reset: [] }, OPERATOR);
    await running.restart({ requirePkce: 'all' });
    const confirmation = await browser.get(`${PKCE_PATH}reset/`);
    expect(extractText(confirmation.html)).to.include('New value Every client ( all )');
    expect((await browser.submit(confirmation, {}, `${PKCE_PATH}reset/`)).status).to.equal(302);
    expect(valueOf('requirePkce')).to.equal('all');
  });

  it('refuses a form that is older than the newest change', async () => {
    await start();
    const proposal = await propose(PKCE_PATH, 'none');
    await running.service().settingChanges.change({ set: { requirePkce: 'all' }, reset: [] }, OPERATOR);
    expect((await browser.submit(proposal, {}, `${PKCE_PATH}change/`)).status).to.equal(409);
    expect(valueOf('requirePkce')).to.equal('all');
  });

  it('is for administrators only', async () => {
    await start();
    const userBrowser = running.browser();
    const ordinaryUser = await running.addUser();
    await userBrowser.logIn(ordinaryUser.username, ordinaryUser.password);
    expect((await userBrowser.get(PKCE_PATH)).status).to.equal(403);
    const [, token = ''] = /name="csrf_token" value="([^"]+)"/.exec((await userBrowser.get('/')).html) ?? [];
    const forgedChange = await userBrowser.post(`${PKCE_PATH}change/`, { csrf_token: token, setting_value: 'none' });
    expect([forgedChange.status, valueOf('requirePkce')]).to.deep.equal([403, 'public']);
  });
});

describe('The settings page', () => {
  let running: RunningService;
  beforeEach(async () => (running = await runningService()));
  afterEach(() => running.close());

  it('finds settings by words in their names and descriptions', async () => {
    const { browser } = await logInAsAdministrator(running);
    const { html } = await browser.get('/admin/settings/?q=refresh%20reuse');
    expect(html).to.include('refreshReuseWindowSeconds').and.not.include('<code>port</code>');
    await running.service().settingChanges.change({ set: { requirePar: true }, reset: [] }, OPERATOR);
    const changedSettings = await browser.get('/admin/settings/?status=changed');
    expect(changedSettings.html).to.include('<code>requirePar</code>').and.not.include('<code>port</code>');
    const fixedSettings = await browser.get('/admin/settings/?status=fixed');
    expect(fixedSettings.html).to.include('<code>port</code>').and.not.include('<code>requirePar</code>');
    const file = await browser.get('/admin/settings/?status=changed&format=csv');
    expect(file.html)
      .to.match(/^subject,setting,value,/)
      .and.match(/requirePar,true,change,false,yes/);
  });
});

describe('The scope pages', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let user: TestUser;

  async function start(settings: object = {}): Promise<void> {
    running = await runningService({ settings: settings as Record<string, unknown> });
    ({ browser, user } = await logInAsAdministrator(running));
  }
  afterEach(() => running.close());

  const INVOICE_SCOPE = {
    scope_name: 'invoices/read',
    scope_description: 'Read your invoices',
    scope_icon: 'card',
    scope_sensitivity: 'sensitive',
  };
  const addScope = async (fields: object = {}) =>
    browser.submit(await browser.get('/admin/scopes/add/'), { ...INVOICE_SCOPE, ...fields });

  it('add a scope, which the consent page shows with its icon and marks as sensitive', async () => {
    await start();
    expect((await addScope()).location).to.equal('/admin/scopes/');
    const client = await running.addClient();
    const { html } = await browser.get(authorizePath(client, { scope: 'invoices/read' }));
    expect(html).to.include('#credit-card').and.include('>Sensitive<');
    expect(extractText(html)).to.include('Read your invoices').and.include('This access is sensitive.');
    await running.authorize(client, user, { scope: 'invoices/read' });
    const consent = (await running.events()).find(({ type }) => type === 'ConsentGiven');
    expect(JSON.stringify(consent?.data)).to.include('This access is sensitive.');
  });

  it('change a scope, and remove it after showing which applications would lose it', async () => {
    await start();
    await addScope();
    const editPath = '/admin/scopes/edit/?scope=invoices%2Fread';
    await browser.submit(
      await browser.get(editPath),
      { scope_description: 'See invoices', scope_icon: '', scope_sensitivity: 'normal' },
      '/admin/scopes/edit/',
    );
    const find = () => running.service().scopeChanges.find('invoices/read');
    expect(find()).to.include({ description: 'See invoices', icon: null, sensitivity: 'normal' });
    const client = await running.addClient({ name: 'Ledger' });
    await running.token(client, { grant_type: 'client_credentials', scope: 'invoices/read' });
    const removal = await browser.get('/admin/scopes/remove/?scope=invoices%2Fread');
    expect(extractText(removal.html)).to.include('1 application got access tokens').and.include('Ledger 1 token');
    await browser.submit(removal, {}, '/admin/scopes/remove/');
    expect(find()).to.equal(undefined);
    const { status } = await running.token(client, { grant_type: 'client_credentials', scope: 'invoices/read' });
    expect(status).to.equal(400);
  });

  it('reject invalid values, and a name that is already taken', async () => {
    await start();
    expect((await addScope({ scope_name: 'two words' })).status).to.equal(422);
    expect((await addScope({ scope_description: '' })).status).to.equal(422);
    expect((await addScope({ scope_description: '\u202eseciovni ruoy daeR' })).status).to.equal(422);
    expect((await addScope({ scope_name: '' })).html).to.include('id="scope_name-error">Enter a name.');
    expect((await addScope({ scope_name: 'read' })).status).to.equal(422);
    expect((await addScope({ scope_icon: 'skull' })).status).to.equal(422);
    expect((await running.events()).filter(({ stream }) => stream === 'settings')).to.deep.equal([]);
  });

  it('refuse a form that is older than the last change to its scope', async () => {
    await start();
    const form = await browser.get('/admin/scopes/edit/?scope=read');
    const save = (scope_description: string) => browser.submit(form, { scope_description }, '/admin/scopes/edit/');
    expect((await save('Read everything')).status).to.equal(302);
    expect((await save('Read everything')).status, 'the same form again').to.equal(302);
    expect((await save('Read nothing')).status).to.equal(409);
    expect(running.service().config.scopes['read']).to.equal('Read everything');
  });

  it('show scopes from the configuration file as read-only, except for icon and sensitivity', async () => {
    await start({ scopes: { read: 'Read everything', write: 'Write' } });
    const list = extractText((await browser.get('/admin/scopes/')).html);
    expect(list).to.include('The operator set the scopes in the configuration file').and.not.include('Add a scope');
    expect((await browser.get('/admin/scopes/remove/?scope=read')).status).to.equal(404);
    expect((await addScope()).status).to.equal(422);
    await browser.submit(
      await browser.get('/admin/scopes/edit/?scope=read'),
      { scope_icon: 'file', scope_sensitivity: 'sensitive' },
      '/admin/scopes/edit/',
    );
    expect(running.service().scopeChanges.find('read')).to.include({
      description: 'Read everything',
      icon: 'file',
      sensitivity: 'sensitive',
    });
  });
});
