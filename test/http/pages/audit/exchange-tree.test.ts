import { expect } from 'chai';
import { openSessionAs } from '../../../support/audit-pages.ts';
import { runningService, type RunningService, type TestClient } from '../../../support/running-service.ts';
import { allowExchange, exchangeForToken, ownToken, userTokens } from '../../../support/token-exchange.ts';

const VERIFIER_URL = new URL('../../../../scripts/verify-chain.mjs', import.meta.url).href;
const GRANT_TYPES = ['password', 'client-credentials', 'token-exchange'] as const;
const extractText = (html: string): string => html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');

describe('The exchanges around a grant', () => {
  let running: RunningService;
  let [web, api, tool]: TestClient[] = [];

  beforeEach(async () => {
    running = await runningService();
    web = await running.addClient({ name: 'Web', grantTypes: GRANT_TYPES });
    api = await running.addClient({ name: 'Api', grantTypes: GRANT_TYPES });
    tool = await running.addClient({ name: 'Tool', grantTypes: GRANT_TYPES });
    await allowExchange(running, api, web);
    await allowExchange(running, tool, api);
  });
  afterEach(() => running.close());

  async function exchangeTwice() {
    if (web === undefined || api === undefined || tool === undefined) return expect.fail('no clients');
    const ada = await running.addUser('ada');
    const { access } = await userTokens(running, web, ada, { scope: 'read write' });
    const actor = await ownToken(running, api, { scope: 'read write' });
    const apiToken = await exchangeForToken(running, api, access, { actor });
    const toolToken = await exchangeForToken(running, tool, apiToken, { scope: 'read' });
    const grants = (await running.events())
      .filter(({ type }) => type === 'ConsentGiven' || type === 'TokenExchanged')
      .map(({ stream, position }) => ({ position, path: `/audit/grants/${stream.slice('grant-'.length)}/` }));
    return { ada, web, api, access, apiToken, toolToken, grants };
  }

  it('are drawn from the root down on a page for each grant, and the events of a grant link to its page', async () => {
    const { grants } = await exchangeTwice();
    const browser = await openSessionAs(running, 'auditor', 'auditor');
    for (const { path, position } of grants) {
      expect((await browser.get(`/audit/events/${position}/`)).html).to.include(`href="${path}"`);
      const { status, html } = await browser.get(path);
      expect(status).to.equal(200);
      const text = extractText(html);
      expect(text).to.include('2 exchanges');
      expect(text).to.match(/Web was granted.*Api exchanged a token of Web.*with Api as the actor.*Tool exchanged/);
      expect(html.match(/tree__grant" aria-current="true"/g)).to.have.length(1);
      expect(html.match(/badge--good/g)).to.have.length(3);
      // Three nested lists.
      expect(html.replaceAll(/[\s\S]*?(<\/?ul class="tree">|<\/?ul>|<\/html>)/g, '$1')).to.include(
        '<ul class="tree"><ul class="tree"><ul class="tree">',
      );
    }
  });

  it('show the event that ended each grant', async () => {
    const { grants, apiToken, api: client } = await exchangeTwice();
    await running.post('/o/revoke_token/', { token: apiToken }, { authorization: client.basic });
    const browser = await openSessionAs(running, 'auditor', 'auditor');
    const { html } = await browser.get(grants[2]?.path ?? '');
    expect(html.match(/badge--good/g)).to.have.length(1);
    expect(html.match(/badge--danger/g)).to.have.length(2);
    const revocationPosition = (await running.events()).find(({ type }) => type === 'GrantRevoked')?.position;
    expect(extractText(html)).to.include(
      'The grant of Api above it ended: Api gave up its access to the account of ada',
    );
    expect(html.match(new RegExp(`<a href="/audit/events/${revocationPosition ?? 0}/">`, 'g'))).to.have.length(2);
  });

  it('show which disabled application suspends each grant', async () => {
    const { grants, api: client } = await exchangeTwice();
    const administrator = await openSessionAs(running, 'administrator', 'administrator');
    const path = `/admin/applications/${client.id}/disable/`;
    await administrator.submit(await administrator.get(path), {}, path);
    const { html } = await administrator.get(grants[2]?.path ?? '');
    expect(html.match(/badge--good/g)).to.have.length(1);
    expect(html.match(/badge--warning/g)).to.have.length(2);
    const position = (await running.events()).find(({ type }) => type === 'ClientDisabled')?.position;
    expect(html.match(new RegExp(`<a href="/audit/events/${position ?? 0}/">`, 'g'))).to.have.length(2);
    expect(extractText(html)).to.include('administrator disabled the application Api');
  });

  it('are shown as they were at an earlier time or position', async () => {
    const { grants, apiToken, api: client } = await exchangeTwice();
    const moment = { position: running.log.head(), time: new Date(running.clock.now()).toISOString() };
    const positionBeforeGrants = (grants[0]?.position ?? 0) - 1;
    running.clock.advance(60);
    await running.post('/o/revoke_token/', { token: apiToken }, { authorization: client.basic });
    const browser = await openSessionAs(running, 'auditor', 'auditor');
    const path = grants[0]?.path ?? '';
    expect((await browser.get(path)).html.match(/badge--danger/g)).to.have.length(2);
    for (const query of [`position=${moment.position}`, `time=${encodeURIComponent(moment.time)}`]) {
      const { status, html } = await browser.get(`${path}?${query}`);
      expect(status).to.equal(200);
      expect(html.match(/badge--good/g)).to.have.length(3);
      expect(html).to.include(
        `/audit/blast-radius/?grant=${path.split('/').at(-2)}&amp;${query.replaceAll('&', '&amp;')}`,
      );
      expect(html).to.include(`/?${query}">about`);
    }
    expect(extractText((await browser.get(`${path}?position=${grants[1]?.position}`)).html)).to.include('1 exchange');
    expect(extractText((await browser.get(`${path}?position=${positionBeforeGrants}`)).html)).to.include(
      'No such grant at that time',
    );
    const invalidPage = await browser.get(`${path}?position=999999`);
    expect([
      invalidPage.status,
      extractText(invalidPage.html).includes('Enter the number of an event, from 1 to '),
    ]).to.deep.equal([422, true]);
    expect((await browser.get(`/audit/grants/${'x'.repeat(22)}/?position=1`)).status).to.equal(404);
  });

  it('have a downloadable proof, which the standalone verifier accepts', async () => {
    const { grants } = await exchangeTwice();
    const browser = await openSessionAs(running, 'auditor', 'auditor');
    const path = grants[2]?.path ?? '';
    const { status, html, headers } = await browser.get(`${path}proof/`);
    expect(status).to.equal(200);
    expect(headers.get('content-disposition')).to.match(/^attachment; filename="chain-[\w-]{22}\.json"$/);
    const { verifyChain } = (await import(VERIFIER_URL)) as {
      readonly verifyChain: (text: string, key: string) => { readonly hops: readonly unknown[] };
    };
    expect(verifyChain(html, running.service().attestation.verifierKey()).hops).to.have.length(3);
    expect((await browser.get(`/audit/grants/${'x'.repeat(22)}/proof/`)).status).to.equal(404);
    expect((await browser.get('/audit/grants/short/proof/')).status).to.equal(404);
    expect((await running.browser().get(`${path}proof/`)).status).to.equal(302);
  });

  it('are only for auditors and administrators, and unknown grants are not found', async () => {
    const { grants, ada } = await exchangeTwice();
    const [{ path } = expect.fail('no grants')] = grants;
    const auditor = await openSessionAs(running, 'auditor', 'auditor');
    for (const unknownPath of [
      '/audit/grants/short/',
      `/audit/grants/${'x'.repeat(22)}/`,
      `/audit/grants/${'x'.repeat(99)}/`,
    ])
      expect((await auditor.get(unknownPath)).status).to.equal(404);
    const ordinaryUser = running.browser();
    await ordinaryUser.logIn(ada.username, ada.password);
    expect((await ordinaryUser.get(path)).status).to.equal(403);
    const administrator = await openSessionAs(running, 'admin', 'administrator');
    expect((await administrator.get(path)).status).to.equal(200);
  });

  it('are shown to users for each authorization, until they end', async () => {
    const { ada, web: client, access, api: apiClient } = await exchangeTwice();
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const path = `/o/authorized_tokens/applications/${client.id}/`;
    const { html } = await browser.get(path);
    expect(extractText(html))
      .to.match(/Web passed access on to Api, for read write · ends.*Api passed access on to Tool, for read · ends/)
      .and.include('This access ends with the authorization');
    for (let times = 0; times < 5; times += 1) await exchangeForToken(running, apiClient, access);
    const longList = (await browser.get(path)).html;
    expect(extractText(longList)).to.include('and 2 more');
    expect(longList.match(/passed access on/g)).to.have.length(5);
    running.clock.advance(36_000);
    expect((await browser.get(path)).html).to.not.include('passed access on');
  });
});
