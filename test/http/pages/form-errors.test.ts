import { expect } from 'chai';
import type { BrowserSession, Page } from '../../support/browser-session.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';

interface LinkedField {
  readonly name: string;
  readonly text: string;
}

/** Returns the links in the error summary. */
function listLinkedFields(html: string): readonly LinkedField[] {
  const [, summary = ''] = /<div class="notice notice--danger" role="alert">([\s\S]*?)<\/div>/.exec(html) ?? [];
  const links = summary.matchAll(/<a href="#([^"]+)">([^<]+)</g);
  return [...links].map(([, name = '', text = '']) => ({ name, text: text.replaceAll(/\s+/g, ' ') }));
}

/** Expects each link to begin with the label of its field as shown on the page. */
function expectLabels(html: string, path: string): void {
  const visibleHtml = html.replaceAll(/<span class="optional">[\s\S]*?<\/span>/g, '');
  for (const { name, text } of listLinkedFields(html)) {
    const match = new RegExp(
      `<label for="${name}">\\s*([^<]*?)\\s*<|id="${name}"[^>]*>\\s*<legend[^>]*>\\s*([^<]*?)\\s*<`,
    ).exec(visibleHtml);
    const label = match?.[1] ?? match?.[2];
    expect(
      text.startsWith(`${String(label)} – `),
      `${path} ${name}: “${text}” does not begin with “${String(label)}”`,
    ).to.equal(true);
  }
}

describe('A page with form errors', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let client: TestClient;
  let pk: number;

  beforeEach(async () => {
    running = await runningService();
    const { username, password } = await running.addUser('root', ['administrator']);
    await running.addUser('ada');
    pk = running.service().projections.users.findByName('ada')?.id ?? expect.fail('no ada');
    client = await running.addClient({ owner: 'root', name: 'Engine' });
    browser = running.browser();
    await browser.logIn(username, password);
  });
  afterEach(() => running.close());

  const titleOf = ({ html }: Page): string => /<title>([^<]*)/.exec(html)?.[1] ?? '';

  it('has a title that begins with “Error”, and a summary that lists the fields, for every form', async () => {
    const forms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      [`/admin/applications/${client.id}/remove/`, { name: 'x' }],
      [`/admin/applications/${client.id}/transfer/`, { username: 'nobody' }],
      [`/admin/applications/${client.id}/people/`, { username: 'nobody' }],
      ['/admin/applications/register/', { name: '' }],
      [`/admin/users/${pk}/erase/`, { username: 'x' }],
      [`/admin/users/${pk}/profile/`, { email: 'x' }],
      ['/admin/users/add/', { username: '' }],
      ['/admin/groups/add/', { group_name: '' }],
      ['/admin/domains/', { domain: 'a b/', rule: 'blocked' }],
      ['/admin/settings/refreshReuseWindowSeconds/', { setting_value: 'x' }],
      ['/admin/scopes/add/', { scope_name: '' }],
      ['/admin/trusted-issuers/add/', { trust_issuer: 'x' }],
      ['/admin/providers/add/', { provider_id: '!' }],
      ['/admin/exchange-policies/add/', { exchange_client: 'x' }],
      ['/o/applications/register/', { name: '' }],
      ['/o/resources/register/', { resource_uri: 'x' }],
      ['/accounts/password/', { current_password: 'x' }],
    ];
    for (const [path, fields] of forms) {
      const form = await browser.get(path);
      const refusedPage = await browser.submit(form, fields, path);
      expect(refusedPage.status, path).to.equal(422);
      expect(titleOf(form), path).to.not.match(/^Error: /);
      expect(titleOf(refusedPage), path).to.match(/^Error: \S/);
      expect(listLinkedFields(refusedPage.html), path).not.to.deep.equal([]);
      expectLabels(refusedPage.html, path);
    }
    for (const path of [
      '/audit/?user=nobody',
      '/audit/as-of/?time=x',
      '/audit/blast-radius/?client=nobody',
      '/audit/log/export/?until=x',
    ]) {
      const refusedPage = await browser.get(path);
      expect([refusedPage.status, titleOf(refusedPage)], path).to.satisfy(
        ([status, text]: readonly [number, string]) => status === 422 && text.startsWith('Error: '),
      );
      expectLabels(refusedPage.html, path);
    }
    const visitor = running.browser();
    const loginPage = await visitor.submit(await visitor.get('/accounts/login/'), { username: 'ada', password: 'x' });
    expect(titleOf(loginPage)).to.match(/^Error: /);
  });

  for (const path of ['/admin/providers/add/', '/admin/trusted-issuers/add/', '/o/applications/register/?view=expert'])
    it(`summarizes the errors at ${path} before all choices and fields`, async () => {
      const { html } = await browser.submit(await browser.get(path), {}, path);
      const summary = html.indexOf('notice--danger');
      expect(summary).to.be.above(0);
      for (const marker of ['class="presets', '<input id=', 'data-copy>'])
        if (html.includes(marker)) expect(html.indexOf(marker), marker).to.be.above(summary);
    });

  for (const path of ['/o/applications/register/', '/o/applications/register/?view=expert'])
    it(`lists the errors at ${path} with the field labels that the page shows`, async () => {
      const form = await browser.get(path);
      const { html } = await browser.submit(form, {
        name: '',
        redirect_uris: 'foo',
        homepage_uri: 'x',
        policy_uri: 'x',
        tos_uri: 'x',
        application_kind: 'none',
      });
      expect(listLinkedFields(html).length).to.be.above(0);
      expectLabels(html, path);
    });
});
