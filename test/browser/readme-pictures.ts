import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Chromium } from '../support/browser.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../support/running-service.ts';
import { startServer } from '../support/server-process.ts';

/** A screenshot of part of a page, shown in a document. */
export interface ReadmePicture {
  readonly name: string;
  /** The text in the picture, without the ids, times and figures that differ from run to run. */
  readonly text: string;
  readonly png: Buffer;
}

const PASSWORD = "alice's password";

/** Takes pictures of the current pages, and passes them to `use` one at a time. */
export async function forEachReadmePicture(
  chromium: Chromium,
  use: (picture: ReadmePicture) => Promise<void>,
): Promise<void> {
  await use(await takeHealthPicture(chromium));
  await use(await takeRefusalPicture(chromium));
}

/** Starts the server in a separate process, because only then does it report memory and disk figures. */
async function takeHealthPicture(chromium: Chromium): Promise<ReadmePicture> {
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-pictures-'));
  const server = await startServer(join(directory, 'data'), {
    env: { GRANTLOG_ADMIN_USERNAME: 'alice', GRANTLOG_ADMIN_PASSWORD: PASSWORD },
  });
  try {
    const page = await openAsAlice(chromium, server.origin, '/admin/health/');
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    const png = await page.screenshot({ type: 'png', animations: 'disabled' });
    return { name: 'health', text: removeVaryingText(await page.getByRole('main').innerText()), png };
  } finally {
    await server.destroy();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function takeRefusalPicture(chromium: Chromium): Promise<ReadmePicture> {
  const running = await runningService();
  try {
    await running
      .service()
      .accounts.register({ username: 'alice', password: PASSWORD }, { actor: { kind: 'operator' }, requestId: null });
    const page = await openAsAlice(
      chromium,
      running.origin(),
      `/o/applications/${await replayCode(running)}/refusals/`,
    );
    const refusals = page.locator('#refusals');
    return {
      name: 'refusal',
      text: removeVaryingText(await refusals.innerText()),
      png: await refusals.screenshot({ type: 'png', animations: 'disabled' }),
    };
  } finally {
    await running.close();
  }
}

async function openAsAlice(chromium: Chromium, origin: string, path: string): Promise<Page> {
  const { page } = await chromium.open({
    viewport: { width: 980, height: 1100 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  });
  await page.goto(`${origin}/accounts/login/?next=${path}`);
  await page.getByLabel('User name').fill('alice');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(origin + path);
  return page;
}

/** Redeems a code twice, twenty seconds apart, for an application that alice owns. Returns the application's id. */
async function replayCode(running: RunningService): Promise<string> {
  const client = await running.addClient({ name: 'Demo', owner: 'alice' });
  const code = await running.authorize(client, { username: 'alice', password: PASSWORD });
  const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
  await running.token(client, redemption);
  running.clock.advance(20);
  await running.token(client, redemption);
  return client.id;
}

/** Ids, times and figures differ from run to run. */
const VARYING_TEXT = /\b(?=[\w-]*\d)[\w.:-]+(?:,\d{3})*(?:\.\d+)?\b(?: (?:[kKMGT]i?B|bytes|ms|µs|seconds?|minutes?))?/g;

function removeVaryingText(text: string): string {
  return text.replaceAll(VARYING_TEXT, '…').replaceAll(/\s+/g, ' ').trim();
}
