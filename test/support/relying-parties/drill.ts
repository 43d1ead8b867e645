import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startChromium } from '../browser.ts';
import { grantlogOutput, SERVE_COMMAND } from '../drill-client.ts';
import { findFreePort } from '../free-port.ts';
import { startServer } from '../server-process.ts';
import { APACHE_REDIRECT_PATH, configureApache } from './apache.ts';
import { startProgram, waitUntil, type Program } from './program.ts';

const USER = { username: 'alice', password: 'correct horse battery', email: 'alice@example.com' };
const PYTHON_CLIENT = fileURLToPath(new URL('python-client.py', import.meta.url));

interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret: string;
}

/**
 * Logs a user in to third-party relying parties, in a real browser: Apache with mod_auth_openidc, and a Python program
 * that uses Authlib. Then logs out, and checks that the back-channel logout ends the session at Apache.
 * @param directory an empty directory
 * @throws Error with the first expectation that is not met
 */
export async function runRelyingPartyDrill(directory: string, progress: (line: string) => void): Promise<void> {
  const dataDir = join(directory, 'data');
  chmodSync(directory, 0o755); // Apache reads files from it as a different user
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  const server = await startServer(dataDir, {
    command: SERVE_COMMAND,
    env: {
      PORT: String(port),
      GRANTLOG_ADMIN_USERNAME: 'admin',
      GRANTLOG_ADMIN_PASSWORD: 'correct horse battery staple',
      GRANTLOG_OUTGOING_HTTP: 'true',
      GRANTLOG_OUTGOING_NETWORKS: '["127.0.0.0/8","::1/128"]',
    },
  });
  const programs: Program[] = [];
  const chromium = await startChromium();
  try {
    await grantlogOutput(
      dataDir,
      ['user', 'add', USER.username, '--email', USER.email, '--password-stdin'],
      USER.password,
    );
    const { page } = await chromium.open();
    const apache = await startApache();
    const authlib = await startAuthlib();

    await page.goto(`${apache}/private/`);
    await logIn(page);
    const response = await authorize(page, `${apache}/private/`);
    const headers = await response.allHeaders();
    if (headers['x-email'] !== USER.email || (headers['x-subject'] ?? '') === '') {
      throw new Error(`Apache got unexpected claims: ${JSON.stringify(headers)}`);
    }
    progress('mod_auth_openidc: logged in, with the claims of the user');

    await page.goto(`${authlib}/`);
    const result = (await (await authorize(page, `${authlib}/callback`)).json()) as {
      readonly id_token: { readonly sub: string };
      readonly userinfo: { readonly sub: string; readonly email: string };
      readonly refreshed: boolean;
      readonly introspected: boolean;
    };
    if (result.userinfo.email !== USER.email || result.userinfo.sub !== headers['x-subject'])
      throw new Error(`Authlib got unexpected claims: ${JSON.stringify(result)}`);
    if (!result.refreshed || !result.introspected) {
      throw new Error(`Authlib did not refresh or introspect its tokens: ${JSON.stringify(result)}`);
    }
    progress('Authlib: logged in, with the same subject, refreshed its tokens, and introspected one');

    await logOut(page, issuer);
    await waitUntil(
      'the session at Apache has ended',
      async () => (await page.request.get(`${apache}/private/`, { maxRedirects: 0 })).status() === 302,
    );
    progress('mod_auth_openidc: its session ended after the back-channel logout');
  } finally {
    await chromium.close();
    await Promise.all(programs.map((program) => program.stop()));
    await server.destroy();
  }

  async function startApache(): Promise<string> {
    const origin = `http://localhost:${await findFreePort()}`;
    const redirectUri = `${origin}${APACHE_REDIRECT_PATH}`;
    const client = await addClient('Apache', redirectUri, [
      '--backchannel-logout-uri',
      `${redirectUri}?logout=backchannel`,
    ]);
    const apachePort = Number(new URL(origin).port);
    const credentials = { clientId: client.client_id, clientSecret: client.client_secret };
    const command = configureApache(join(directory, 'apache'), { issuer, ...credentials, port: apachePort });
    programs.push(startProgram(command));
    await waitUntil('Apache responds', async () => (await fetch(origin)).status > 0);
    return origin;
  }

  async function startAuthlib(): Promise<string> {
    const appPort = String(await findFreePort());
    const origin = `http://localhost:${appPort}`;
    const client = await addClient('Authlib', `${origin}/callback`, []);
    const program = startProgram([
      '/usr/bin/python3',
      PYTHON_CLIENT,
      issuer,
      client.client_id,
      client.client_secret,
      appPort,
    ]);
    programs.push(program);
    await program.waitForOutput('serving relying party');
    return origin;
  }

  async function addClient(name: string, redirectUri: string, otherArgs: readonly string[]): Promise<RegisteredClient> {
    const kind = ['--type', 'confidential', '--grant', 'authorization-code', '--owner', 'admin', '--json'];
    const args = ['client', 'add', '--name', name, ...kind, '--redirect-uri', redirectUri, ...otherArgs];
    return JSON.parse(await grantlogOutput(dataDir, args)) as RegisteredClient;
  }
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('User name').fill(USER.username);
  await page.getByLabel('Password').fill(USER.password);
  await page.locator('main').getByRole('button', { name: 'Log in' }).click();
}

/** Consents, and returns the relying party's response from `url`. */
async function authorize(page: Page, url: string) {
  const [response] = await Promise.all([
    page.waitForResponse((candidate) => candidate.url().startsWith(url) && candidate.status() === 200),
    page.getByRole('button', { name: 'Authorize' }).click(),
  ]);
  return response;
}

async function logOut(page: Page, issuer: string): Promise<void> {
  await page.goto(issuer);
  await page.locator('header').getByRole('button', { name: 'Log out' }).click();
}
