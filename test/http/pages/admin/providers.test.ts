import { expect } from 'chai';
import { createUpstreamProviders } from '../../../../src/projections/upstream-providers.ts';
import { openSession } from '../../../support/authorize-requests.ts';
import { addManager } from '../../../support/management.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';
import {
  beginLogin,
  linkAccount,
  LOOPBACK_PROVIDERS,
  logInThrough,
  startScriptedProvider,
  setProvider,
  type ScriptedProvider,
} from '../../../support/scripted-provider.ts';

const PATH = '/admin/providers/corp/';

describe("a login provider's page", () => {
  let running: RunningService;
  let provider: ScriptedProvider;
  let root: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: LOOPBACK_PROVIDERS });
    provider = await startScriptedProvider(running.clock.now);
    root = await running.addUser('root', ['administrator']);
    browser = await openSession(running, root);
    await setProvider(running, provider, { disabled: true });
  });

  afterEach(async () => {
    await running.close();
    await provider.close();
  });

  const submitAction = async (action: string, session = browser): Promise<Page> => {
    // `confirmed` answers the question about a provider whose test has not succeeded.
    await session.submit(await session.get(PATH), { confirmed: 'yes' }, `${PATH}${action}/`);
    return session.get(PATH);
  };

  it('shows the URL that a failed test requested, in English and German', async () => {
    await provider.close();
    const metadataUrl = `${provider.issuer}/.well-known/openid-configuration`;
    expect((await submitAction('test')).html).to.include(`The metadata URL, ${metadataUrl}, `);
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn(root.username, root.password);
    expect((await submitAction('test', german)).html).to.include(
      `Die Metadaten des Anbieters unter ${metadataUrl} sind nicht`,
    );
  });

  it('tests the documents that the provider publishes now, not those of an earlier test', async () => {
    expect((await submitAction('test')).html).to.include('specifies this issuer');
    await provider.close();
    expect((await submitAction('test')).html).to.include(`${provider.issuer}/.well-known/openid-configuration`);
  });

  it('lets the redirect URI wrap only after slashes, and has a title for the settings', async () => {
    const { html } = await browser.get(PATH);
    expect(html).to.include('<wbr>accounts/<wbr>login/<wbr>provider/<wbr>corp/<wbr>callback/</code>');
    expect(html).to.include('<h2 id="settings">Settings</h2>');
  });

  it('keeps the result of the last test until the connection changes', async () => {
    expect((await submitAction('test')).html).to.include('Last test');
    const currentFields = {
      provider_preset: 'custom',
      provider_name: 'Company',
      provider_issuer: provider.issuer,
      provider_client_id: 'grantlog',
      provider_authentication: 'client_secret_basic',
      provider_scopes: 'openid',
      provider_linking: 'explicit',
    };
    const save = async (fields: Record<string, string>): Promise<string> => {
      expect((await browser.submit(await browser.get(PATH), { ...currentFields, ...fields }, PATH)).status).to.equal(
        302,
      );
      return (await browser.get(PATH)).html;
    };
    expect(await save({ provider_state: 'disabled' }))
      .to.include('Company')
      .and.include('Last test');
    expect((await submitAction('enable')).html).to.include('Last test');
    expect(await save({ provider_client_id: 'other' })).not.to.include('Last test');
  });

  const enable = async (): Promise<Page> => browser.submit(await browser.get(PATH), {}, `${PATH}enable/`);
  const isEnabled = () => running.service().projections.upstreamProviders.findEnabled('corp') !== undefined;
  const primaryButton = ({ html }: Page) =>
    /button--primary" type="submit"\s*>([^<]+)/.exec(html.slice(html.indexOf('id="connection"')))?.[1];

  it('asks for confirmation before an untested provider is enabled, and changes nothing before that', async () => {
    expect(primaryButton(await browser.get(PATH))).to.equal('Test the connection');
    const question = await enable();
    expect(question.html).to.include('Enable Corp without a test?');
    expect(isEnabled()).to.equal(false);
    expect((await browser.submit(question, {}, `${PATH}enable/`)).status).to.equal(302);
    expect(isEnabled()).to.equal(true);
  });

  it('asks for confirmation, and states the failed step, before enabling a provider after a failed test', async () => {
    await provider.close();
    expect(primaryButton(await submitAction('test'))).to.equal('Test the connection');
    const question = await enable();
    expect(question.html).to.include('The connection failed last time. Enable Corp anyway?');
    expect(question.html).to.include('Failed step: Metadata').and.include(`The metadata URL, ${provider.issuer}`);
    expect(isEnabled()).to.equal(false);
    const german = running.browser({ 'accept-language': 'de' });
    for (const [name, value] of browser.cookies()) german.setCookie(name, value);
    const germanQuestion = await german.submit(await german.get(PATH), {}, `${PATH}enable/`);
    expect(germanQuestion.html).to.include('Fehlgeschlagener Schritt: Metadaten').and.include('Trotzdem einschalten');
    await browser.submit(question, {}, `${PATH}enable/`);
    expect(isEnabled()).to.equal(true);
  });

  it('enables a provider with the primary button, without confirmation, if its last test passed', async () => {
    expect(primaryButton(await submitAction('test'))).to.equal('Enable');
    expect((await enable()).status).to.equal(302);
    expect(isEnabled()).to.equal(true);
  });

  it('marks each step of the test with a word and an icon for its result', async () => {
    const steps = ({ html }: Page) =>
      [...html.matchAll(/test-step--(\w+)">[^#]*#([\w-]+)[^]*?<strong>([^<]+)/g)].map((match) => match.slice(1));
    const passedSteps = ['Metadata: passed', 'Keys: passed', 'Client: passed'].map((text) => [
      'good',
      'circle-check',
      text,
    ]);
    expect(steps(await submitAction('test'))).to.deep.equal(passedSteps);
    provider.script.tokenError = 'temporarily_unavailable';
    const unclearTestPage = await submitAction('test');
    expect(unclearTestPage.html).to.include('No step of the test failed, but one was inconclusive');
    expect(steps(unclearTestPage).at(-1)).to.deep.equal(['unknown', 'triangle-alert', 'Client: inconclusive']);
    await provider.close();
    expect(steps(await submitAction('test'))).to.deep.equal([['bad', 'circle-x', 'Metadata: failed']]);
  });

  it('enables and disables the provider with a button, and always shows the state', async () => {
    const badge = ({ html }: Page) => /<span class="badge[^>]*>\s*(\w+)/.exec(html.slice(html.indexOf('<h1>')))?.[1];
    expect(badge(await browser.get(PATH))).to.equal('off');
    const enabledPage = await submitAction('enable');
    expect(enabledPage.html).to.include('Corp is enabled').and.include(`${PATH}disable/`);
    expect([isEnabled(), badge(enabledPage)]).to.deep.equal([true, 'on']);
    const disabledPage = await submitAction('disable');
    expect(disabledPage.html).to.include('Corp is disabled').and.include(`${PATH}enable/`);
    expect([isEnabled(), badge(disabledPage)]).to.deep.equal([false, 'off']);
  });

  it('has no field for the state, and saves other settings without changing it', async () => {
    const isDisabled = () => running.service().projections.upstreamProviders.find('corp')?.disabled === true;
    const fields = {
      provider_preset: 'custom',
      provider_name: 'Company',
      provider_issuer: provider.issuer,
      provider_client_id: 'grantlog',
      provider_authentication: 'client_secret_basic',
      provider_scopes: 'openid',
      provider_linking: 'explicit',
    };
    const page = await browser.get(PATH);
    expect(page.html).not.to.match(/type="checkbox"[^>]*name="provider_state"/);
    expect((await browser.get('/admin/providers/add/')).html).to.match(/type="checkbox"[^>]*\sname="provider_state"/);
    for (const shouldDisable of [true, false]) {
      await submitAction(shouldDisable ? 'disable' : 'enable');
      expect((await browser.submit(await browser.get(PATH), fields, PATH)).status).to.equal(302);
      expect(isDisabled()).to.equal(shouldDisable);
    }
    // A script that sends the form itself can still set the state.
    expect(
      (await browser.submit(await browser.get(PATH), { ...fields, provider_state: 'disabled' }, PATH)).status,
    ).to.equal(302);
    expect(isDisabled()).to.equal(true);
  });

  it('says before a removal that passwords work again if the provider was the last required one', async () => {
    const notice = 'Passwords will work again, because no other enabled provider is required.';
    const question = async (session = browser) => (await session.get(`${PATH}remove/`)).html;
    const fetchForecast = async () =>
      (await manager.call('GET', '/providers/corp/forecast/')).json?.['turns_passwords_on'];
    const manager = await addManager(running);
    expect(await question()).not.to.include(notice);
    expect(await fetchForecast()).to.equal(false);
    await setProvider(running, provider, { disabled: false, required: true });
    expect(await question()).to.include(notice);
    expect(await fetchForecast()).to.equal(true);
    const german = running.browser({ 'accept-language': 'de' });
    for (const [name, value] of browser.cookies()) german.setCookie(name, value);
    expect(await question(german)).to.include('Passwörter gelten wieder');
  });

  it('does not remove a provider without which no administrator could log in', async () => {
    await setProvider(running, provider, { disabled: false, required: true });
    expect(await linkAccount(browser, provider, { sub: 'root', email: 'root@example.org' })).to.include({
      status: 302,
    });
    await setProvider(running, provider, { required: true }, 'other');
    const question = await browser.get(`${PATH}remove/`);
    expect(question.html).to.include('no administrator would be able to log in');
    const head = running.log.head();
    const refusal = await browser.submit(question, {}, `${PATH}remove/`);
    expect([refusal.status, running.log.head()]).to.deep.equal([409, head]);
    expect(refusal.html).to.include('An administrator is required').and.include('another way to log in first');
  });

  it('does not disable a required provider', async () => {
    await setProvider(running, provider, { disabled: false, required: true });
    const refusal = await browser.submit(await browser.get(PATH), {}, `${PATH}disable/`);
    expect(refusal.status).to.equal(422);
    expect(running.service().projections.upstreamProviders.areRequired()).to.equal(true);
  });
});

describe('the pages about login providers', () => {
  let running: RunningService;
  let provider: ScriptedProvider;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: LOOPBACK_PROVIDERS });
    provider = await startScriptedProvider(running.clock.now);
    browser = await openSession(running, await running.addUser('root', ['administrator']));
  });
  afterEach(async () => {
    await running.close();
    await provider.close();
  });

  const PAGES = ['/admin/providers/', '/admin/'];
  const readText = async (path: string): Promise<string> => {
    const { html } = await browser.get(path);
    return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  };

  it('show the result and the time of the last test, even of one run through the management API', async () => {
    expect(await readText('/admin/')).not.to.include('Last test');
    await setProvider(running, provider);
    for (const path of PAGES) expect(await readText(path)).to.match(/Last test (↕ )?Corp/);
    const manager = await addManager(running);
    await manager.call('POST', '/providers/corp/test/');
    for (const path of PAGES) expect(await readText(path), path).to.match(/ (passed|inconclusive) just now/);
    await provider.close();
    await browser.submit(await browser.get(PATH), {}, `${PATH}test/`);
    for (const path of PAGES) expect(await readText(path), path).to.include(' failed just now');
    const { html: csv } = await browser.get('/admin/providers/?format=csv');
    expect(csv.split(/\r?\n/)[0]).to.include('last_login,last_test,last_test_result');
    expect(csv).to.include(',bad,');
  });

  it('warn on the dashboard, the health page and the home page if an enabled provider failed its test', async () => {
    const warning = 'Corp is on the login page, but the last connection to it failed.';
    await setProvider(running, provider);
    for (const path of ['/admin/', '/admin/health/', '/']) expect(await readText(path)).not.to.include(warning);
    await provider.close();
    await browser.submit(await browser.get(PATH), {}, `${PATH}test/`);
    for (const path of ['/admin/', '/admin/health/', '/']) expect(await readText(path), path).to.include(warning);
    await browser.submit(await browser.get(PATH), {}, `${PATH}disable/`);
    expect(await readText('/admin/')).not.to.include(warning);
  });

  describe('after a login that could not reach an enabled provider', () => {
    const warning = 'Corp is on the login page, but the last connection to it failed.';
    const CACHE_SECONDS = 61;
    const startLogin = async (): Promise<void> => {
      const visitor = running.browser();
      await visitor.submit(await visitor.get('/accounts/login/'), {}, '/accounts/login/provider/corp/');
    };
    /** Returns from the provider with an invalid code. */
    const returnWithWrongCode = async (): Promise<void> => {
      const visitor = running.browser();
      const address = await beginLogin(visitor);
      const state = new URL(address).searchParams.get('state') ?? '';
      await visitor.get(`/accounts/login/provider/corp/callback/?code=wrong&state=${encodeURIComponent(state)}`);
    };

    it('warn until the same request succeeds', async () => {
      await setProvider(running, provider);
      provider.script.metadata = { error: 'down' };
      await startLogin();
      for (const path of ['/admin/', '/admin/health/']) expect(await readText(path), path).to.include(warning);
      expect(await readText(PATH))
        .to.include('The connection failed during a login')
        .and.include('The metadata URL')
        .and.include('status 400')
        .and.not.include('Last test');
      provider.script.metadata = {};
      running.clock.advance(CACHE_SECONDS);
      await startLogin();
      for (const path of ['/admin/', '/admin/health/']) expect(await readText(path), path).not.to.include(warning);
    });

    it('warn if the token endpoint cannot be reached, until it responds at all', async () => {
      provider.script.metadata = { token_endpoint: 'http://127.0.0.1:9/token' };
      await setProvider(running, provider);
      await returnWithWrongCode();
      expect(await readText('/admin/')).to.include(warning);
      await startLogin();
      expect(await readText('/admin/'), 'another request succeeded').to.include(warning);
      provider.script.metadata = {};
      running.clock.advance(CACHE_SECONDS);
      await returnWithWrongCode();
      expect(await readText('/admin/')).not.to.include(warning);
    });

    it('still warn of a failed test after a request for a login succeeds', async () => {
      await setProvider(running, provider);
      provider.script.metadata = { error: 'down' };
      await browser.submit(await browser.get(PATH), {}, `${PATH}test/`);
      provider.script.metadata = {};
      await startLogin();
      expect(await readText('/admin/'), 'the test failed').to.include(warning);
    });

    it('do not warn because of a wrong code, a wrong state or a refused token', async () => {
      await setProvider(running, provider);
      await returnWithWrongCode();
      const visitor = running.browser();
      await beginLogin(visitor);
      await visitor.get('/accounts/login/provider/corp/callback/?code=wrong&state=wrong');
      provider.script.claims = { aud: 'another' };
      await logInThrough(running.browser(), provider, { sub: 'ada', email: 'ada@example.org' });
      expect(await readText('/admin/')).not.to.include(warning);
      expect(await readText('/admin/providers/')).not.to.include('failed');
    });
  });

  it('show the last login through the provider, which is forgotten when the provider is removed', async () => {
    await setProvider(running, provider);
    const { upstreamProviders } = running.service().projections;
    expect(upstreamProviders.lastLoginAt('corp')).to.equal(undefined);
    const account = { sub: 'root there', email: 'root@example.org' };
    expect(await linkAccount(browser, provider, account)).to.include({ status: 302 });
    expect(await logInThrough(running.browser(), provider, account)).to.include({ status: 302 });
    const loggedInAt = Math.floor(running.clock.now() / 1000);
    expect(upstreamProviders.lastLoginAt('corp')).to.equal(loggedInAt);
    for (const path of PAGES) expect((await browser.get(path)).html).to.include(`datetime="${formatIso(loggedInAt)}"`);
    const manager = await addManager(running);
    expect((await manager.call('GET', '/providers/corp/')).json).to.include({ last_login_at: formatIso(loggedInAt) });
    const restoredProjection = createUpstreamProviders();
    for (const part of upstreamProviders.freeze()) restoredProjection.restore(part);
    expect(restoredProjection.lastLoginAt('corp')).to.equal(loggedInAt);
    expect([...restoredProjection.contents()]).to.deep.equal([...upstreamProviders.contents()]);
    await browser.submit(await browser.get(`${PATH}remove/`), {});
    expect(upstreamProviders.lastLoginAt('corp')).to.equal(undefined);
  });
});

const formatIso = (at: number): string => new Date(at * 1000).toISOString();
