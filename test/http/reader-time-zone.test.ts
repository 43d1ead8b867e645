import { expect } from 'chai';
import type { BrowserSession } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

const BY_OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The time zone of a page', () => {
  let running: RunningService;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
  });
  afterEach(() => running.close());

  async function setZone(zoneinfo: string): Promise<void> {
    const user = running.service().projections.users.findByName('ada') ?? expect.fail();
    await running.service().accounts.changeProfile(user, { profile: { zoneinfo } }, BY_OPERATOR);
  }

  /** Returns the zone of a time on *Your sessions*, and whether the page has the script that detects the zone. */
  async function readZone(browser: BrowserSession): Promise<readonly [string, boolean]> {
    const { html } = await browser.get('/accounts/sessions/');
    return [/<time[^>]* title="[\d-]+ [\d:]+ ([^"]+)"/.exec(html)?.[1] ?? '', html.includes('times.js')];
  }

  async function logIn(): Promise<BrowserSession> {
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    return browser;
  }

  it('is the one in the profile, otherwise that of the browser, otherwise UTC', async () => {
    const browser = await logIn();
    expect(await readZone(browser)).to.deep.equal(['UTC', true]);
    browser.setCookie('grantlog-time-zone', 'Asia/Tokyo');
    expect(await readZone(browser)).to.deep.equal(['UTC+09:00', true]);
    await setZone('America/Phoenix');
    expect(await readZone(browser)).to.deep.equal(['UTC−07:00', false]);
  });

  it('applies to all exact times on the audit pages, whose titles are in UTC', async () => {
    const root = await running.addUser('root', ['auditor', 'administrator']);
    const client = await running.addClient({ owner: 'ada' });
    await running.token(client, { grant_type: 'client_credentials' });
    const browser = running.browser();
    await browser.logIn(root.username, root.password);
    browser.setCookie('grantlog-time-zone', 'Asia/Tokyo');
    const head = running.log.head();
    for (const path of [
      '/audit/',
      `/audit/events/${head}/`,
      `/audit/as-of/?position=${head}`,
      `/audit/blast-radius/?client=${client.id}`,
    ]) {
      const { html } = await browser.get(path);
      const [, title, visibleTime] = /<time datetime="[^"]+" title="([^"]+)" data-utc[^>]*>([^<]+)</.exec(html) ?? [];
      expect(title, path).to.match(/^[\d-]+ [\d:]+ UTC$/);
      expect(visibleTime, path).to.match(/^[\d-]+ [\d:]+ UTC\+09:00$/);
      expect(html.replaceAll(/ (?:title|value)="[^"]*"/g, ''), path).to.not.match(/\d:\d\d UTC\b(?!\+)/);
    }
  });

  it('is UTC if the cookie does not contain a time zone', async () => {
    const browser = await logIn();
    for (const cookieValue of ['Nowhere/Else', '+01:00', 'x'.repeat(3_000), '"><script>']) {
      browser.setCookie('grantlog-time-zone', cookieValue);
      expect(await readZone(browser), cookieValue).to.deep.equal(['UTC', true]);
    }
  });
});
