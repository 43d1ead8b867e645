import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { markedTranslators } from '../support/marked-texts.ts';
import { findUntranslated } from '../support/page-texts.ts';
import { createScene, PASSWORD, textsFrom, type Scene } from '../support/scene.ts';
import type { PageEntry } from './pages.ts';
import { openPage } from './visit.ts';

describeInChromium('In a browser, in a language that marks every message in the catalog', (chromium) => {
  let scene: Scene;

  before(async function () {
    this.timeout(120_000);
    scene = await createScene(textsFrom('⟦user⟧'), {
      settings: { languages: ['de'] },
      translators: markedTranslators(),
    });
  });
  after(() => scene.close());

  const openPageAs = (viewer: PageEntry['as'], path: string): Promise<Page> =>
    openPage(scene, { name: path, as: viewer, path: () => path }, chromium, {});

  /** Expects no unmarked text in `part`, except the status text of responses, which is the same in every language. */
  async function expectAllMarked(page: Page, part = 'html'): Promise<void> {
    const html = await page.evaluate<string>(`document.querySelector('${part}').outerHTML`);
    const visibleHtml = `<title></title>${html}`.replaceAll(/\d+ (?:OK|Bad Request|Unauthorized)\b/g, '');
    expect(findUntranslated(visibleHtml)).to.deep.equal([]);
  }

  const runExample = async (page: Page, example: string, text: string): Promise<void> => {
    await page.locator(`[data-example="${example}"] [data-run]`).press('Enter');
    await page.locator(`[data-example="${example}"] [data-result]`).getByText(text).waitFor();
  };

  it('the scripts on the Try it page show no unmarked text', async () => {
    const { application } = scene;
    const page = await openPageAs('member', `/o/applications/${application.id}/try/`);
    const fillIn = page.locator('[data-fill-in]');
    await fillIn.locator('summary').press('Enter');
    for (const pastedText of ['https://a.example/?error=access_denied', '{}', 'https://a.example/?code=a&state=b']) {
      await fillIn.locator('input').fill(pastedText);
      await fillIn.locator('[role=status]').getByText('⟦').waitFor();
      await expectAllMarked(page);
    }
    await runExample(page, 'client-credentials', 'das Client-Secret ein');
    await page.locator('[data-secret] input').fill(application.secret);
    await runExample(page, 'introspect', 'ein Zugriffstoken');
    await runExample(page, 'client-credentials', 'Ein Zugriffstoken für');
    await page.getByText('Es ist opak').waitFor();
    await runExample(page, 'introspect', 'Das Token ist gültig');
    await expectAllMarked(page);
    await runExample(page, 'revoke', 'Das Token ist widerrufen');
    await runExample(page, 'introspect', 'Das Token ist nicht gültig');
    await page.locator('[data-secret] input').fill('wrong');
    await runExample(page, 'client-credentials', '⟦Alle neuen Ablehnungen⟧');
  });

  it('the scripts on the callback page show no unmarked text', async () => {
    const { application } = scene;
    const page = await openPageAs('member', `/o/applications/${application.id}/callback/?code=a&state=b`);
    await page.locator('[data-arrival]').getByText('ignoriert').waitFor();
    await expectAllMarked(page);
  });

  async function requestTokens(page: Page): Promise<Readonly<Record<string, string>>> {
    const { application, running, users } = scene;
    const href = await page.locator('.example a[href*="scope=openid"]').first().getAttribute('href');
    const request = Object.fromEntries(new URL(href ?? '', running.origin()).searchParams);
    const code = await running.authorize(application, users.member, request);
    const code_verifier = (await page.locator('[data-verifier]').getAttribute('data-verifier')) ?? '';
    const redirect_uri = request['redirect_uri'] ?? '';
    const { json } = await running.token(application, {
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      code_verifier,
    });
    return json as Readonly<Record<string, string>>;
  }

  it('the scripts that verify and explain ID tokens show no unmarked text', async () => {
    const page = await openPageAs('member', `/o/applications/${scene.application.id}/try/`);
    const tokens = await requestTokens(page);
    const [header = '', payload = '', signature = ''] = tokens['id_token']?.split('.') ?? [];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const changedClaims = { ...claims, iss: 'x', aud: 'x', exp: 1, nonce: 'x', at_hash: 'x', unknown: 'x' };
    const forgedToken = [header, Buffer.from(JSON.stringify(changedClaims)).toString('base64url'), signature].join('.');
    const fillIn = page.locator('[data-fill-in]');
    await fillIn.locator('summary').press('Enter');
    for (const [response, explanation] of [
      [tokens, 'Die Signatur ist gültig'],
      [{ ...tokens, id_token: forgedToken }, 'Es ist nicht der Wert aus der Anfrage'],
      [{ id_token: 'x' }, 'kein signiertes JWT'],
    ] as const) {
      await fillIn.locator('input').fill(JSON.stringify(response));
      await page.locator('.token').getByText(explanation).first().waitFor();
      await page.evaluate("document.querySelectorAll('.token td:nth-of-type(1)').forEach((each) => each.remove())");
      await expectAllMarked(page);
    }
    await runExample(page, 'userinfo', 'Der Benutzer hat zugestimmt');
    await expectAllMarked(page);
  });

  it('the scripts that verify a chain show no unmarked text', async () => {
    const page = await openPageAs('auditor', scene.exchangesPath);
    const verify = async (verdict: string): Promise<void> => {
      await page.locator('[data-verify] .actions button').press('Enter');
      await page.locator(verdict).waitFor();
      await expectAllMarked(page);
    };
    await verify('[data-verdict=good], [data-verdict=warning]'); // without Ed25519, signatures are not checked
    await page.evaluate("document.querySelectorAll('[data-end]').forEach((each) => { each.dataset.end = '7'; })");
    await verify('[data-verdict=danger]');
    for (const [proof, reason] of [
      ['[', 'Der Nachweis ist kein JSON'],
      ['{}', 'Eine Angabe ist kein Objekt'],
    ] as const) {
      await page.route('**/proof/', (route) => route.fulfill({ body: proof }));
      await verify('[data-verdict=danger]');
      await page.getByText(reason).first().waitFor();
    }
    await page.route('**/proof/', (route) => route.fulfill({ status: 503 }));
    await verify('[data-verdict=danger]');
  });

  it('the scripts for password fields show no unmarked text', async () => {
    const page = await openPageAs('visitor', '/accounts/signup/');
    const field = page.locator('input[autocomplete=new-password]');
    for (const password of ['short', 'aaaaaaaaaa', 'visible-words', 'several words without any relation']) {
      await field.fill(password);
      await expectAllMarked(page);
      const problem = await page.evaluate<string>(
        "document.querySelector('input[autocomplete=new-password]').validationMessage",
      );
      if (problem !== '') expect(problem).to.match(/^⟦.*⟧$/);
    }
    await page.locator('.reveal').click();
    await expectAllMarked(page);
  });

  it('the passkey scripts show no unmarked text, regardless of what fails', async () => {
    for (const [viewer, path] of [
      ['visitor', '/accounts/login/'],
      ['member', '/accounts/passkeys/add/'],
    ] as const) {
      const page = await openPageAs(viewer, path);
      const form = page.locator('form[data-passkey]');
      await form.locator('[type=submit]').waitFor();
      if (viewer === 'member') {
        await form.locator('#name').fill('⟦passkey⟧');
        await form.locator('input[type=password]').fill(PASSWORD);
      }
      for (const name of ['NotAllowedError', 'InvalidStateError', 'UnknownError']) {
        await page.evaluate(
          `for (const method of ['get', 'create'])
             navigator.credentials[method] = () => Promise.reject(new DOMException('Something failed', '${name}'));`,
        );
        await form.locator('[type=submit]').click();
        await form.locator('[data-passkey-problem]').getByText('⟦').waitFor();
        await expectAllMarked(page);
      }
    }
  });

  it('the script that copies text shows no unmarked text', async () => {
    const page = await openPageAs('member', `/o/applications/${scene.application.id}/`);
    const button = page.locator('.copy:visible').first();
    await button.click();
    await page.getByText(/^⟦(?:Kopiert|Kopieren nicht möglich)⟧$/).waitFor();
    await expectAllMarked(page);
  });

  it('the scripts that verify an event show no unmarked text', async () => {
    const page = await openPageAs('auditor', '/audit/events/1/');
    await page.locator('.actions button').first().press('Enter');
    await page.locator('[data-verdict]').waitFor();
    await expectAllMarked(page, '[data-verdict]');
    await page.evaluate("document.getElementById('leaf-index').textContent = '1000000'");
    await page.locator('.actions button').first().press('Enter');
    await page.locator('[data-verdict=danger]').waitFor();
    await expectAllMarked(page, '[data-verdict]');
  });
});
