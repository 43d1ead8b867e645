import { expect } from 'chai';
import { english } from '../../../../src/language/english.ts';
import { GROUP_OF_SETTING, SETTING_GROUPS, type SettingGroup } from '../../../../src/config/setting-groups.ts';
import { SETTING_NAMES, type SettingName } from '../../../../src/config/settings.ts';
import { LIMITS } from '../../../../src/platform/limits/limits.ts';
import { createOnce } from '../../../../src/event-store/once.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

const groupTitle = (group: SettingGroup): string => english.t(`setting-group.${group}`);

/** Returns the HTML of a setting's table row, or undefined if the page has none. */
function findRow(html: string, name: string): string | undefined {
  return html.split('<tr role="row">').find((row) => /<code>(\w+)</.exec(row)?.[1] === name);
}

/** Counts a sign-up against the limit, and returns whether it was allowed. */
function trySignUp(running: RunningService): boolean {
  try {
    running.service().limits.spend('sign-up', '', createOnce());
    return true;
  } catch {
    return false;
  }
}

/** Starts a server with these settings, opens the page as an administrator, and returns its HTML. */
async function openPage(path: string, settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const running = await runningService({ settings, limits: { ...LIMITS, 'sign-up': { max: 1, windowSeconds: 900 } } });
  try {
    await running
      .service()
      .accounts.register({ username: 'root', password: 'the password of root', roles: ['administrator'] }, OPERATOR);
    const browser = running.browser();
    await browser.logIn('root', 'the password of root');
    // Exhausts the sign-up limit, which the health page then shows.
    for (const isAllowed of [true, false]) expect(trySignUp(running)).to.equal(isAllowed);
    const { status, html } = await browser.get(path);
    expect(status).to.equal(200);
    return html;
  } finally {
    await running.close();
  }
}

describe('The settings page', () => {
  it('shows every setting with its value, origin and default, and hides secrets', async () => {
    const html = await openPage('/admin/settings/', {
      accessTokenLifetimeSeconds: 77,
      signup: 'open',
      adminUsername: 'root',
      adminPassword: 'hush hush',
    });
    for (const name of SETTING_NAMES) expect(html).to.include(`<code>${name}</code>`);
    expect(html).to.include('77 seconds').and.include('10 hours').and.include('(hidden)').and.not.include('hush hush');
    expect(findRow(html, 'accessTokenLifetimeSeconds'))
      .to.include('badge--neutral">file<')
      .and.include('Change it in the file');
    expect(findRow(html, 'refreshReuseWindowSeconds')).to.include('Can be changed here').and.not.include('badge--good');
    expect(findRow(html, 'bodyLimitBytes')).to.include('Change it with <code>GRANTLOG_BODY_LIMIT_BYTES</code>');
  });

  it('lists the settings that differ from their defaults first, and then all other settings in groups', async () => {
    const html = await openPage('/admin/settings/', { signup: 'open', approvalPrompt: 'force', sampleApi: false });
    const sections = html.split(/<h2 [^>]*id="title-/).map((section) => ({
      title: />([^<]*)</.exec(section)?.[1],
      names: [...section.matchAll(/<a href="\/admin\/settings\/(\w+)\/">/g)].map(([, name]) => name),
    }));
    const [, changedSection, ...groups] = sections;
    expect(changedSection?.title).to.equal('Changed from the default');
    expect(changedSection?.names).to.include('signup').and.not.include('approvalPrompt');
    expect(groups.map(({ title }) => title)).to.deep.equal(SETTING_GROUPS.map(groupTitle));
    for (const { title, names } of groups)
      for (const name of names) expect(groupTitle(GROUP_OF_SETTING[name as SettingName]), name).to.equal(title);
    expect(sections.flatMap(({ names }) => names)).to.have.members(SETTING_NAMES);
  });

  it('shows the default only where the value differs from it', async () => {
    const html = await openPage('/admin/settings/', { signup: 'open' });
    expect(findRow(html, 'signup')).to.include('Default:').and.include('Only administrators can create accounts');
    expect(findRow(html, 'loginUrl')).to.include('/accounts/login/').and.not.include('Default:');
  });

  it('has links to all groups above the first group', async () => {
    const html = await openPage('/admin/settings/', { signup: 'open' });
    const links = [...html.matchAll(/class="button" href="#(\w+)"/g)];
    const parts = [...html.matchAll(/ id="([a-z]+)" aria-labelledby|settings-group__content" id="([a-z]+)"/g)];
    expect(links.map(([, id]) => id)).to.deep.equal(parts.map(([, sectionId, groupId]) => sectionId ?? groupId));
    expect(links.at(-1)?.index).to.be.below(parts[0]?.index ?? 0);
  });

  it('collapses each group, but not the settings that differ from their defaults', async () => {
    const html = await openPage('/admin/settings/', { signup: 'open' });
    expect(html.match(/<details class="disclosure settings-group">/g)).to.have.length(SETTING_GROUPS.length);
    expect(html.indexOf('<code>signup</code>')).to.be.below(html.indexOf('settings-group'));
    for (const [group] of html.matchAll(/<details class="disclosure settings-group">.*?<\/summary>/gs))
      expect(group).to.match(/\d+ settings?<\/span><\/summary>$/);
  });

  it('gives the reason for a default that depends on other settings', async () => {
    const html = await openPage('/admin/settings/', { sampleApi: false });
    const reasons = html.match(/<p class="meta">Default, because the server is embedded in another program<\/p>/g);
    expect(reasons).to.have.length(1);
  });
});

describe('The health page', () => {
  it('shows the current figures', async () => {
    const html = await openPage('/admin/health/');
    const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(html).to.include('This node is ready.');
    for (const figure of [
      /Version Grantlog \d/,
      /Events 2, all processed/,
      /Users 1 /,
      /Sessions 1 /,
      /Applications 0 /,
      /Newest snapshot none yet/,
      /needs attention|Needs attention/,
      /sign-up 1 /,
      /Free space [\d.,]+ /,
    ]) {
      expect(text).to.match(figure);
    }
  });
});
