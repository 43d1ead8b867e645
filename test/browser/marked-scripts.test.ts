import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { markedTranslators } from '../support/marked-texts.ts';
import { untranslatedIn } from '../support/page-texts.ts';
import { createScene, textsFrom, type Scene } from '../support/scene.ts';
import type { PageEntry } from './pages.ts';
import { openPage } from './visit.ts';

describeInChromium('In a browser, in a language that marks each text of the catalogue', (chromium) => {
  let scene: Scene;

  before(async function () {
    this.timeout(120_000);
    scene = await createScene(textsFrom('⟦user⟧'), {
      settings: { languages: ['de'] },
      translators: markedTranslators(),
    });
  });
  after(() => scene.close());

  const open = (as: PageEntry['as'], path: string): Promise<Page> =>
    openPage(scene, { name: path, as, path: () => path }, chromium, {});

  /** Ignores the status text of a response, which is the same in every language. */
  async function expectMarked(page: Page, part = 'html'): Promise<void> {
    const html = await page.evaluate<string>(`document.querySelector('${part}').outerHTML`);
    const visibleHtml = `<title></title>${html}`.replaceAll(/\d+ (?:OK|Bad Request|Unauthorized)\b/g, '');
    expect(untranslatedIn(visibleHtml)).to.deep.equal([]);
  }

  const run = async (page: Page, example: string, text: string): Promise<void> => {
    await page.locator(`[data-example="${example}"] [data-run]`).press('Enter');
    await page.locator(`[data-example="${example}"] [data-result]`).getByText(text).waitFor();
  };

  it('the scripts of the page for trying an application show no other text', async () => {
    const { application } = scene;
    const page = await open('member', `/o/applications/${application.id}/try/`);
    const fillIn = page.locator('[data-fill-in]');
    await fillIn.locator('summary').press('Enter');
    for (const pasted of ['https://a.example/?error=access_denied', '{}', 'https://a.example/?code=a&state=b']) {
      await fillIn.locator('input').fill(pasted);
      await fillIn.locator('[role=status]').getByText('⟦').waitFor();
      await expectMarked(page);
    }
    await run(page, 'client-credentials', 'das Client-Secret ein');
    await page.locator('[data-secret] input').fill(application.secret);
    await run(page, 'introspect', 'ein Zugriffstoken');
    await run(page, 'client-credentials', 'Ein Zugriffstoken für');
    await page.getByText('Es ist undurchsichtig').waitFor();
    await run(page, 'introspect', 'Das Token ist gültig');
    await expectMarked(page);
    await run(page, 'revoke', 'Das Token ist widerrufen');
    await run(page, 'introspect', 'Das Token ist nicht gültig');
    await page.locator('[data-secret] input').fill('wrong');
    await run(page, 'client-credentials', '⟦Alle neuen Ablehnungen⟧');
  });

  it('the scripts of the callback page show no other text', async () => {
    const { application } = scene;
    const page = await open('member', `/o/applications/${application.id}/callback/?code=a&state=b`);
    await page.locator('[data-arrival]').getByText('ignoriert').waitFor();
    await expectMarked(page);
  });

  it('the scripts that verify an event show no other text', async () => {
    const page = await open('auditor', '/audit/events/1/');
    await page.locator('.actions button').first().press('Enter');
    await page.locator('[data-verdict]').waitFor();
    await expectMarked(page, '[data-verdict]');
    await page.evaluate("document.getElementById('leaf-index').textContent = '1000000'");
    await page.locator('.actions button').first().press('Enter');
    await page.locator('[data-verdict=danger]').waitFor();
    await expectMarked(page, '[data-verdict]');
  });
});
