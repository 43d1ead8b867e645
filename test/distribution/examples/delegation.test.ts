import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../../support/browser.ts';
import { ROOT } from '../../support/documents.ts';
import { findFreePort } from '../../support/free-port.ts';

const PASSWORD = 'correct horse battery';

describeInChromium('In a browser, the example of a chain from a user to an API', (chromium) => {
  let example: ChildProcess;
  let issuer: string;
  let assistant: string;

  before(async function () {
    this.timeout(180_000);
    const [port, assistantPort, toolPort, apiPort] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ];
    issuer = `http://localhost:${port}`;
    assistant = `http://localhost:${assistantPort}`;
    const ports = { PORT: port, ASSISTANT_PORT: assistantPort, TOOL_PORT: toolPort, API_PORT: apiPort };
    const env = {
      ...process.env,
      ...Object.fromEntries(Object.entries(ports).map(([name, number]) => [name, String(number)])),
    };
    example = spawn(process.execPath, ['examples/delegation/start.mjs'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    await new Promise<void>((resolve, reject) => {
      example.once('exit', () => reject(new Error(`the example exited: ${output}`)));
      example.stdout?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes(`Open ${assistant}/`)) resolve();
      });
    });
  });
  after(async () => {
    const exit = once(example, 'exit');
    example.kill('SIGTERM');
    await exit;
  });

  async function logIn(page: Page): Promise<void> {
    await page.getByLabel('User name').fill('alice');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.locator('main').getByRole('button', { name: 'Log in' }).click();
  }

  it('leads from consent to the page with the chain, and a button lets the user end the chain', async () => {
    const { page } = await chromium.open();
    await page.goto(`${assistant}/`);
    await page.getByRole('link', { name: 'Let the assistant plan your trip' }).click();
    await logIn(page);
    await page.getByText('Plan trips').waitFor();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('link', { name: 'Plan the trip' }).click();
    await page.getByText('Monday: dentist. (The calendar of alice, read by').waitFor();

    await page.goto(`${issuer}/accounts/activity/`);
    await page.getByRole('listitem').filter({ hasText: 'Assistant passed access on to Travel tool' }).last().waitFor();

    await page.goto(`${issuer}/audit/?type=TokenExchanged`);
    await page.locator('a[href^="/audit/events/"]').first().click();
    await page.getByRole('link', { name: 'Exchanges around this grant' }).first().click();
    await page.getByRole('heading', { name: 'Exchanges around a grant' }).waitFor();
    const tree = page.locator('.tree').first();
    for (const name of ['alice', 'Assistant', 'Travel tool']) await tree.getByText(name).first().waitFor();

    await page.goto(`${issuer}/accounts/activity/`);
    await page.getByRole('link', { name: 'See or revoke its access' }).first().click();
    await page.getByText('Assistant passed access on to Travel tool').waitFor();
    await page.getByRole('button', { name: /^Revoke the authorization/ }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${assistant}/plan`);
    await page.getByText('The tool refused: 401').waitFor();
    expect(page.url()).to.equal(`${assistant}/plan`);
  });
});
