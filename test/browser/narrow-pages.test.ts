import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT = { username: 'root', password: 'the password of root' };

interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

describeInChromium('In a browser, the lists in the administration and audit areas', (chromium) => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
    const { accounts } = running.service();
    await accounts.register({ ...ROOT, roles: ['administrator'], email: 'root@harbour.example' }, OPERATOR);
    await accounts.register({ username: 'ada', password: 'a long enough password', email: 'ada@a.example' }, OPERATOR);
    for (const name of ['Engine', 'Loom']) await running.addClient({ name, owner: 'ada' });
  });
  afterEach(() => running.close());

  async function openAsRoot(path: string, width: number, locale = 'en'): Promise<Page> {
    const { page } = await chromium.open({ viewport: { width, height: 800 }, locale });
    await page.goto(`${running.origin()}/accounts/login/?next=${encodeURIComponent(path)}`);
    await page.locator('[name=username]').fill(ROOT.username);
    await page.locator('[name=password]').fill(ROOT.password);
    await page.locator('main form button[type=submit]').first().click();
    await page.waitForURL(running.origin() + path);
    return page;
  }

  const findBoxes = (page: Page, selector: string): Promise<readonly Box[]> =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})]
        .map((each) => each.getBoundingClientRect().toJSON())`,
    );

  for (const path of ['/admin/users/', '/admin/applications/'])
    it(`show each entry of ${path} in a few lines on a phone, with its name and state on the first line`, async () => {
      const page = await openAsRoot(path, 390);
      const rows = await findBoxes(page, '.table--list tbody tr');
      expect(rows).to.have.length.above(0);
      for (const { height } of rows) expect(height).to.be.below(180);
      const [names, states] = [await findBoxes(page, 'tbody th'), await findBoxes(page, 'tbody td .badge')];
      for (const [index, state] of states.entries()) expect(state.top).to.be.below(names[index]?.bottom ?? 0);
      const [[sort], [form]] = [await findBoxes(page, '#sort'), await findBoxes(page, '.toolbar')];
      expect(sort?.width, 'the sort control is as wide as the form').to.be.closeTo(form?.width ?? 0, 1);
    });

  for (const locale of ['en', 'de'])
    it(`show the event, the actor and the time on separate lines on a phone, in ${locale}`, async () => {
      const page = await openAsRoot('/audit/', 390, locale);
      const [[event], [time], [actor]] = [
        await findBoxes(page, '.events__what'),
        await findBoxes(page, '.events__time'),
        await findBoxes(page, '.events__by'),
      ];
      expect(event?.bottom).to.be.at.most((actor?.top ?? 0) + 1);
      expect(actor?.bottom).to.be.at.most((time?.top ?? 0) + 1);
      expect((actor?.bottom ?? 0) - (actor?.top ?? 0), 'the actor takes one line').to.be.below(36);
    });

  for (const path of ['/audit/log/', '/audit/as-of/', '/audit/?user=nobody'])
    it(`align the first labels and fields of the filters on ${path}, and truncate no option`, async () => {
      const page = await openAsRoot('/audit/', 1280);
      await page.goto(running.origin() + path);
      const [labels, fields] = [
        await findBoxes(page, '.filters .field > label'),
        await findBoxes(page, '.filters .field > :is(input, select)'),
      ];
      for (const [index, label] of labels.slice(0, 3).entries()) {
        expect(label.top).to.be.closeTo(labels[0]?.top ?? 0, 1);
        expect(fields[index]?.top).to.be.closeTo(fields[0]?.top ?? 0, 1);
      }
      expect(
        await page.evaluate<boolean>(
          '[...document.querySelectorAll(".filters select")].every((each) => each.scrollWidth <= each.clientWidth)',
        ),
      ).to.equal(true);
    });
});
