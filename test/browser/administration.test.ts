import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { FIND_WIDE_ELEMENTS } from './page-checks.ts';

const ROOT = { username: 'root', password: 'the password of root' };

describeInChromium('In a browser, an administrator', (chromium) => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
    await running
      .service()
      .accounts.register({ ...ROOT, roles: ['administrator'] }, { actor: { kind: 'operator' }, requestId: null });
  });
  afterEach(() => running.close());

  async function logIn(page: Page, { username, password }: typeof ROOT): Promise<void> {
    await page.goto(`${running.origin()}/accounts/login/`);
    await page.getByLabel('User name').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
    await page.getByText(`Hello, ${username}`).waitFor();
  }

  for (const javaScriptEnabled of [true, false]) {
    const mode = `${javaScriptEnabled ? 'with' : 'without'} JavaScript`;
    it(`adds a user, changes roles and disables the account, ${mode}`, async () => {
      const { page, consoleErrors } = await chromium.open({ javaScriptEnabled });
      await logIn(page, ROOT);
      await page.getByRole('link', { name: 'Administration' }).click();
      const sections = page.getByRole('navigation', { name: 'Administration' });
      await sections.getByRole('link', { name: 'Accounts' }).click();
      await page.getByRole('link', { name: 'Add a user' }).click();
      await page.getByLabel('User name').fill('ada');
      await page.getByRole('button', { name: 'Add the user' }).click();
      const password = await page.locator('#account-password').innerText();
      await page.getByRole('link', { name: 'I have copied the password' }).click();

      const userBrowser = await chromium.open({ javaScriptEnabled });
      await logIn(userBrowser.page, { username: 'ada', password });
      expect(await userBrowser.page.getByRole('link', { name: 'Administration' }).count()).to.equal(0);

      await page.getByRole('link', { name: 'Change roles' }).click();
      await page.getByRole('checkbox', { name: /^Auditor/ }).check();
      await page.getByRole('button', { name: 'Save the roles' }).click();
      await page.getByText('The roles of ada were changed.').waitFor();

      await page.getByRole('link', { name: 'Disable' }).click();
      await page.getByRole('button', { name: 'Disable the account' }).click();
      await page.getByText('ada was disabled.').waitFor();
      await userBrowser.page.goto(`${running.origin()}/o/applications/`);
      await userBrowser.page.getByRole('heading', { name: 'Log in' }).waitFor();

      await sections.getByRole('link', { name: 'Users' }).click();
      await page.getByLabel('Search by name, e-mail address or number').fill('ROO');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'root', exact: true }).click();
      await page.getByText('This is the last administrator who can log in.').waitFor();
      for (const name of ['Disable', 'Erase']) expect(await page.getByRole('link', { name }).count()).to.equal(0);
      expect(consoleErrors).to.deep.equal([]);
    });
  }

  it('ends a chosen session, and introduces a signing key, without JavaScript', async () => {
    const { page, consoleErrors } = await chromium.open({ javaScriptEnabled: false });
    await running.addUser('ada');
    const userBrowser = await chromium.open();
    await logIn(userBrowser.page, { username: 'ada', password: "ada's password" });
    await logIn(page, ROOT);
    await page.getByRole('link', { name: 'Administration' }).click();
    const sections = page.getByRole('navigation', { name: 'Administration' });
    await sections.getByRole('link', { name: 'Accounts' }).click();
    await sections.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('checkbox', { name: 'Select a session of ada' }).check();
    expect(await page.getByLabel('Select all on this page').isVisible()).to.equal(false);
    await page.getByRole('button', { name: 'End the selected sessions' }).click();
    await page.getByRole('heading', { name: 'End the session of ada?' }).waitFor();
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByText('One session was ended.').waitFor();
    await userBrowser.page.goto(`${running.origin()}/o/applications/`);
    await userBrowser.page.getByRole('heading', { name: 'Log in' }).waitFor();

    await sections.getByRole('link', { name: 'Trust' }).click();
    await sections.getByRole('link', { name: 'Signing keys' }).click();
    await page.getByRole('link', { name: 'Introduce new keys' }).click();
    for (const algorithm of ['RS256', 'PS256', 'EdDSA']) await page.getByLabel(algorithm).uncheck();
    await page.getByRole('radio', { name: /^Immediately/ }).check();
    await page.getByRole('button', { name: 'Introduce new keys' }).click();
    await page.getByRole('button', { name: 'Introduce and sign immediately' }).click();
    await page.getByText('New keys were introduced and are now signing.').waitFor();
    expect(await page.getByRole('cell', { name: 'Current' }).count()).to.equal(1);
    expect(await page.evaluate(FIND_WIDE_ELEMENTS)).to.deep.equal([]);
    expect(consoleErrors).to.deep.equal([]);
  });

  it('selects and deselects all rows on a list page with one checkbox', async () => {
    const { page, consoleErrors } = await chromium.open();
    await running.addUser('ada');
    await logIn((await chromium.open()).page, { username: 'ada', password: "ada's password" });
    await logIn(page, ROOT);
    await page.goto(`${running.origin()}/admin/sessions/`);
    const [selectAll, rows] = [page.getByLabel('Select all on this page'), page.locator('tbody input[type=checkbox]')];
    const checkedStates = (): Promise<boolean[]> => Promise.all([0, 1].map((index) => rows.nth(index).isChecked()));
    await selectAll.check();
    expect(await checkedStates()).to.deep.equal([true, true]);
    await rows.first().uncheck();
    expect(await selectAll.isChecked()).to.equal(false);
    await selectAll.check();
    await selectAll.uncheck();
    expect(await checkedStates()).to.deep.equal([false, false]);
    expect(consoleErrors).to.deep.equal([]);
  });

  it("sees the titles of all lists at the same height, and a gap above an empty list's placeholder", async () => {
    const { page } = await chromium.open();
    await logIn(page, ROOT);
    const heights = new Map<string, number>();
    for (const list of ['users', 'groups', 'applications', 'sessions', 'keys', 'scopes', 'providers', 'refusals']) {
      await page.goto(`${running.origin()}/admin/${list}/`);
      const title = await page.getByRole('heading', { level: 1 }).boundingBox();
      heights.set(list, Math.round(title?.y ?? 0));
    }
    expect(new Set(heights.values()).size, JSON.stringify([...heights])).to.equal(1);
    await page.goto(`${running.origin()}/admin/groups/`);
    const [text, box] = [page.locator('main p.lede'), page.locator('main .empty')];
    const [textBox, emptyBox] = [await text.boundingBox(), await box.boundingBox()];
    expect((emptyBox?.y ?? 0) - (textBox?.y ?? 0) - (textBox?.height ?? 0)).to.be.within(16, 32);
  });

  it('sees no gap above the error summary in a panel', async () => {
    const { page } = await chromium.open();
    await logIn(page, ROOT);
    await page.goto(`${running.origin()}/admin/scopes/add/`);
    await page.getByLabel('Name').fill('a b');
    await page.getByLabel('Description').fill('x');
    await page.getByRole('button', { name: 'Add' }).click();
    const [panel, summary] = [page.locator('main .panel'), page.getByRole('alert')];
    await summary.waitFor();
    const [panelBox, summaryBox] = [await panel.boundingBox(), await summary.boundingBox()];
    const padding = await page.evaluate(
      "parseFloat(getComputedStyle(document.querySelector('main .panel')).paddingTop)",
    );
    expect((summaryBox?.y ?? 0) - (panelBox?.y ?? 0)).to.be.closeTo(Number(padding), 2);
  });

  for (const width of [1280, 390])
    it(`reaches every page from the menu in two steps with the keyboard, at ${width} pixels`, async () => {
      const { page } = await chromium.open({ javaScriptEnabled: false, viewport: { width, height: 800 } });
      await logIn(page, ROOT);
      await page.goto(`${running.origin()}/admin/`);
      const sections = page.getByRole('navigation', { name: 'Administration' });
      const openMenu = async (): Promise<void> => {
        if (width < 640) await page.locator('.sections-button').press('Enter');
      };
      await openMenu();
      const groups = await sections.getByRole('link').allInnerTexts();
      expect(groups).to.deep.equal(['Dashboard', 'Accounts', 'Applications and APIs', 'Trust', 'Operation']);
      const pages: string[] = [];
      for (const group of groups.slice(1)) {
        await sections.getByRole('link', { name: group, exact: true }).press('Enter');
        await page.locator(`.sections a[aria-current="true"]:text-is("${group}")`).waitFor({ state: 'attached' });
        await openMenu();
        const groupPages = (await sections.getByRole('link').allInnerTexts()).slice(groups.length);
        expect(groupPages, 'the pages in a group fit on one line').to.have.length.within(2, 5);
        expect(await sections.locator('[aria-current="page"]').innerText()).to.equal(groupPages[0]);
        pages.push(...groupPages);
      }
      expect(pages).to.include.members(['Users', 'Groups', 'Applications', 'Scopes', 'Refusals', 'Settings', 'Health']);
      const box = await sections.boundingBox();
      if (width > 640) expect(box?.height, 'the menu takes at most two lines').to.be.below(90);
      expect(await page.evaluate(FIND_WIDE_ELEMENTS)).to.deep.equal([]);
    });

  it('opens a collapsed settings group by following the link to it, on a phone without JavaScript', async () => {
    const { page } = await chromium.open({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
    await logIn(page, ROOT);
    await page.goto(`${running.origin()}/admin/settings/`);
    const lifetime = page.getByText('accessTokenLifetimeSeconds', { exact: true });
    expect(await lifetime.isVisible()).to.equal(false);
    await page.getByRole('link', { name: 'Tokens and codes' }).press('Enter');
    await lifetime.waitFor();
    const title = await page.getByRole('heading', { name: 'Tokens and codes' }).boundingBox();
    expect(title?.y, 'the title is in view').to.be.within(0, 100);
    for (const group of await page.locator('summary:has(h2)').all()) await group.click();
    expect(await page.evaluate(FIND_WIDE_ELEMENTS)).to.deep.equal([]);
  });
});
