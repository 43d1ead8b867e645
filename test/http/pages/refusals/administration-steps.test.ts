import { expect } from 'chai';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { openSession } from '../../../support/authorize-requests.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';
import {
  LOOPBACK_PROVIDERS,
  logInThrough,
  startScriptedProvider,
  setProvider,
} from '../../../support/scripted-provider.ts';

const TEST_LINK = 'href="/admin/providers/down/">Test the connection<';
const PROVIDER_LINK = 'href="/admin/providers/corp/">Change the login provider<';

const ACCOUNT = { sub: 'unknown', email: 'eve@example.org', email_verified: true, preferred_username: 'eve' };

describe('The explanation of a refusal that an administration page can resolve', () => {
  let running: RunningService;
  let administrator: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: LOOPBACK_PROVIDERS });
    administrator = await openSession(running, await running.addUser('root', ['administrator']));
  });
  afterEach(() => running.close());

  const newestRefusalId = (): string => running.service().explanations.recent()[0]?.id ?? expect.fail('no refusal');
  /** Opens the refusal list and the page for the newest refusal. */
  const openPages = async (): Promise<readonly string[]> => [
    (await administrator.get('/admin/refusals/')).html,
    (await administrator.get(`/o/refusals/${newestRefusalId()}/`)).html,
  ];

  it('links administrators to the login provider, as long as it exists', async () => {
    const provider = await startScriptedProvider(running.clock.now);
    await setProvider(running, provider);
    await logInThrough(running.browser(), provider, ACCOUNT);
    for (const html of await openPages()) expect(html).to.include(PROVIDER_LINK);
    await provider.close();
    await setProvider(running, { issuer: 'http://127.0.0.1:9' }, {}, 'down');
    const visitor = running.browser();
    await visitor.submit(await visitor.get('/accounts/login/'), {}, '/accounts/login/provider/down/');
    for (const html of await openPages()) expect(html).to.include(TEST_LINK);
    const { upstreamProviders } = running.service().projections;
    const downProvider = upstreamProviders.find('down') ?? expect.fail('no provider');
    await running.service().providerRegistry.remove(downProvider, { actor: { kind: 'operator' }, requestId: null });
    for (const html of await openPages()) expect(html).not.to.include('/admin/providers/down/');
  });

  it('does not link application owners to the administration pages', async () => {
    const owner = await openSession(running, await running.addUser('ada'));
    const client = await running.addClient({ owner: 'ada' });
    const registeredClient = running.service().projections.clients.find(client.id) ?? expect.fail('no client');
    const context = { actor: { kind: 'operator' }, requestId: null } as const;
    await running.service().registration.setDisabled(registeredClient.clientId, true, context);
    await running.token(client, { grant_type: 'client_credentials' });
    const link = `href="/admin/applications/${client.id}/">Enable the application<`;
    for (const html of await openPages()) expect(html).to.include(link);
    const ownersPage = await owner.get(`/o/refusals/${newestRefusalId()}/`);
    expect(ownersPage.html).to.include('Ask an administrator to enable').and.not.include('/admin/applications/');
    await running.service().registration.remove(registeredClient.clientId, context);
    for (const html of await openPages())
      expect(html, 'a removed application').not.to.include(`/admin/applications/${client.id}/`);
  });
});
