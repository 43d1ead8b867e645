import { expect } from 'chai';
import { SETTING_NAMES } from '../../../../src/config/settings.ts';
import { LIMITS } from '../../../../src/platform/limits/limits.ts';
import { createOnce } from '../../../../src/event-store/once.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe("Over HTTP, an administrator's page", () => {
  let running: RunningService;
  afterEach(() => running.close());

  function isRefused(): boolean {
    try {
      running.service().limits.spend('sign-up', '', createOnce());
      return false;
    } catch {
      return true;
    }
  }

  async function page(path: string, settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
    running = await runningService({ settings, limits: { ...LIMITS, 'sign-up': { max: 1, windowSeconds: 900 } } });
    await running
      .service()
      .accounts.register({ username: 'root', password: 'the password of root', roles: ['administrator'] }, OPERATOR);
    const browser = running.browser();
    await browser.logIn('root', 'the password of root');
    for (const refuses of [false, true]) expect(isRefused()).to.equal(refuses);
    const { status, html } = await browser.get(path);
    expect(status).to.equal(200);
    return html;
  }

  it('of settings shows each with value, origin and default, and hides secrets', async () => {
    const html = await page('/admin/settings/', {
      accessTokenLifetimeSeconds: 77,
      signup: 'open',
      adminUsername: 'root',
      adminPassword: 'hush hush',
    });
    for (const name of SETTING_NAMES) expect(html).to.include(`<code>${name}</code>`);
    expect(html).to.include('77 seconds').and.include('36000').and.include('(hidden)').and.not.include('hush hush');
    expect(html).to.match(/<code>accessTokenLifetimeSeconds<\/code>[\s\S]{0,400}badge--good">file</);
    expect(html).to.match(/<code>host<\/code>[\s\S]{0,400}badge--neutral">default</);
  });

  it('of settings gives the reason for a default that depends on other settings', async () => {
    const html = await page('/admin/settings/', { sampleApi: false });
    expect(html.match(/<p class="meta">another program embeds the server<\/p>/g)).to.have.length(1);
  });

  it('of health shows the current figures', async () => {
    const html = await page('/admin/health/');
    const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(html).to.include('The server is ready.');
    for (const figure of [
      /Version Grantlog \d/,
      /Events 2, all processed/,
      /Users 1 /,
      /Sessions 1 /,
      /Applications 0 /,
      /Newest snapshot none yet/,
      /sign-up 1 /,
      /Free space [\d.,]+ /,
    ]) {
      expect(text).to.match(figure);
    }
  });
});
