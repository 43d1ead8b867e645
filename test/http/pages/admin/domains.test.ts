import { expect } from 'chai';
import { openSession } from '../../../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The client domains page', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: { clientDocuments: 'list' } });
    const root = { username: 'root', password: 'the password of root' };
    await running.service().accounts.register({ ...root, roles: ['administrator'] }, OPERATOR);
    browser = await openSession(running, root);
  });
  afterEach(() => running.close());

  async function save(domain: string, rule: string) {
    const { csrf_token = '' } = hiddenFields((await browser.get('/admin/domains/')).html);
    return browser.post('/admin/domains/', { csrf_token, domain, rule });
  }

  it('allows, blocks and removes domains, each with an event by the administrator', async () => {
    expect((await save('Example.com', 'allowed')).location).to.equal('/admin/domains/');
    await save('evil.example.com', 'blocked');
    const { html } = await browser.get('/admin/domains/');
    expect(html).to.match(/<bdi>evil\.example\.com<[^]*blocked[^]*<bdi>example\.com<[^]*allowed/);
    const page = await browser.get('/admin/domains/');
    expect(page.html).to.include('aria-label="Remove evil.example.com from the list"');
    await save('evil.example.com', '');
    const changes = (await running.events()).filter(({ stream }) => stream === 'domains');
    expect(changes.map(({ type, actor }) => [type, actor.kind])).to.deep.equal([
      ['ClientDomainListed', 'user'],
      ['ClientDomainListed', 'user'],
      ['ClientDomainUnlisted', 'user'],
    ]);
  });

  it('shows an example domain if the input is invalid', async () => {
    const { status, html } = await save('https://example.com/', 'allowed');
    expect(status).to.equal(422);
    expect(html).to.include('Enter a domain such as example.com');
  });

  it('is only for administrators', async () => {
    const userBrowser = await openSession(running, await running.addUser());
    expect((await userBrowser.get('/admin/domains/')).status).to.equal(403);
  });
});
