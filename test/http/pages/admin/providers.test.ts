import { expect } from 'chai';
import { openSession } from '../../../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';
import {
  LOOPBACK_PROVIDERS,
  scriptedProvider,
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
    provider = await scriptedProvider(running.clock.now);
    root = await running.addUser('root', ['administrator']);
    browser = await openSession(running, root);
    await setProvider(running, provider, { disabled: true });
  });

  afterEach(async () => {
    await running.close();
    await provider.close();
  });

  const act = async (action: string, session = browser): Promise<Page> => {
    await session.submit(await session.get(PATH), {}, `${PATH}${action}/`);
    return session.get(PATH);
  };

  it('names the URL that a failed test requested, in English and German', async () => {
    await provider.close();
    const metadataUrl = `${provider.issuer}/.well-known/openid-configuration`;
    expect((await act('test')).html).to.include(`The address of the metadata, ${metadataUrl}, `);
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn(root.username, root.password);
    expect((await act('test', german)).html).to.include(`Die Metadaten des Anbieters unter ${metadataUrl} sind nicht`);
  });

  it('keeps the result of the last test until the connection changes', async () => {
    expect((await act('test')).html).to.include('Last test');
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
    expect((await act('enable')).html).to.include('Last test');
    expect(await save({ provider_client_id: 'other' })).not.to.include('Last test');
  });

  it('enables and disables the provider with a button, and always shows the state', async () => {
    const isEnabled = () => running.service().projections.upstreamProviders.findEnabled('corp') !== undefined;
    const badge = ({ html }: Page) => /<span class="badge[^>]*>\s*(\w+)/.exec(html.slice(html.indexOf('<h1>')))?.[1];
    expect(badge(await browser.get(PATH))).to.equal('off');
    const enabled = await act('enable');
    expect(enabled.html).to.include('Corp is enabled').and.include(`${PATH}disable/`);
    expect([isEnabled(), badge(enabled)]).to.deep.equal([true, 'on']);
    const disabled = await act('disable');
    expect(disabled.html).to.include('Corp is disabled').and.include(`${PATH}enable/`);
    expect([isEnabled(), badge(disabled)]).to.deep.equal([false, 'off']);
  });

  it('does not disable a required provider', async () => {
    await setProvider(running, provider, { disabled: false, required: true });
    const refusal = await browser.submit(await browser.get(PATH), {}, `${PATH}disable/`);
    expect(refusal.status).to.equal(422);
    expect(running.service().projections.upstreamProviders.areRequired()).to.equal(true);
  });
});
