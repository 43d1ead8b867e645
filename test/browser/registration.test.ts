import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const PASSWORD = 'correct horse battery';
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describeInChromium('In a browser, the application registration', (chromium) => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService({ isItsOwnIssuer: true });
    await running.service().accounts.register({ username: 'ada', password: PASSWORD }, OPERATOR);
  });
  afterEach(() => running.close());

  async function openForm(page: Page): Promise<void> {
    await page.goto(`${running.origin()}/o/applications/register/`);
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Register an application' }).waitFor();
  }
  const findNewestClient = () => [...running.service().projections.clients.all()].at(-1);

  for (const javaScriptEnabled of [true, false]) {
    const mode = `${javaScriptEnabled ? 'with' : 'without'} JavaScript`;

    it(`asks only for the settings that the kind of application needs, ${mode}`, async () => {
      const { page, consoleErrors } = await chromium.open({ javaScriptEnabled });
      await openForm(page);
      const redirectUris = page.getByLabel('Redirect URIs', { exact: true });
      const builtinCallback = page.getByLabel('Let me try the application in the browser');
      for (const [kind, hasUsers] of [
        ['Machine', false],
        ['Browser app', true],
        ['Mobile or desktop', true],
        ['Web application', true],
      ] as const) {
        await page.getByLabel(kind).check();
        expect([await redirectUris.isVisible(), await builtinCallback.isVisible()], kind).to.deep.equal([
          hasUsers,
          hasUsers,
        ]);
      }
      expect(await page.getByText('Client type').count()).to.equal(0);
      expect(consoleErrors).to.deep.equal([]);
    });

    it(`registers a web application with only a name, and offers its settings as a download, ${mode}`, async () => {
      const { page } = await chromium.open({ javaScriptEnabled });
      page.on('dialog', (dialog) => void dialog.accept());
      await openForm(page);
      await page.getByLabel('Name', { exact: true }).fill('Engine');
      await page.getByRole('button', { name: 'Register' }).click();
      const secret = await page.locator('#client-secret').innerText();
      expect(findNewestClient()).to.deep.include({ clientType: 'confidential', grantTypes: ['authorization-code'] });
      const downloadEvent = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download .env' }).click();
      const download = await downloadEvent;
      expect(download.suggestedFilename()).to.equal('engine.env');
      expect(readFileSync(await download.path(), 'utf8')).to.include(`OAUTH_CLIENT_SECRET=${secret}\n`);
    });

    it(`registers a machine, ${mode}`, async () => {
      const { page } = await chromium.open({ javaScriptEnabled });
      await openForm(page);
      await page.getByLabel('Machine').check();
      await page.getByLabel('Name', { exact: true }).fill('Engine');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.locator('#client-secret').waitFor();
      expect(findNewestClient()).to.deep.include({ grantTypes: ['client-credentials'], redirectUris: [] });
    });
  }

  for (const mediaType of ['image/png', 'image/jpeg', 'image/webp'] as const) {
    it(`accepts a logo that a browser encoded as ${mediaType}, and shows it`, async () => {
      const { page, consoleErrors } = await chromium.open();
      const { id } = await running.addClient({ owner: 'ada', name: 'Engine' });
      await openForm(page);
      const dataUrl = await page.evaluate<string>(`
        (() => {
          const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
          const context = canvas.getContext('2d');
          context.fillStyle = 'teal';
          context.fillRect(8, 8, 40, 40);
          return canvas.toDataURL(${JSON.stringify(mediaType)});
        })()
      `);
      const buffer = Buffer.from(dataUrl.replace(/^.*,/, ''), 'base64');
      await page.goto(`${running.origin()}/o/applications/${id}/update/`);
      await page.getByLabel('Image file').setInputFiles({ name: 'logo', mimeType: mediaType, buffer });
      await page.getByRole('button', { name: 'Upload' }).click();
      await page.getByText('The logo was changed.').waitFor();
      expect(findNewestClient()?.logo?.mediaType).to.equal(mediaType);
      await page.getByAltText('The logo of Engine').waitFor();
      const width = await page.evaluate<number>(`
        (async () => {
          const image = document.querySelector('.app-logo');
          await image.decode();
          return image.naturalWidth;
        })()
      `);
      expect(width).to.equal(64);
      expect(consoleErrors).to.deep.equal([]);
    });
  }
});
