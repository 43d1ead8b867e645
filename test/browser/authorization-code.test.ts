import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { startCallbackServer, type CallbackServer } from '../support/callback-server.ts';
import { tabTo, typeIntoFocusedField } from '../support/keyboard.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

/** The issuer shown on pages. The test server listens on a different port. */
const ISSUER = 'http://localhost:8000';

describeInChromium('In a browser, the authorization code grant', (chromium) => {
  let running: RunningService;
  let application: CallbackServer;

  beforeEach(async () => {
    running = await runningService({ settings: { issuer: ISSUER } });
    application = await startCallbackServer();
  });
  afterEach(async () => {
    await application.close();
    await running.close();
  });

  function authorizeUrl({ id }: TestClient, parameters: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams({ response_type: 'code', client_id: id, ...parameters });
    return `${running.origin()}/o/authorize/?${query.toString()}`;
  }

  /** Runs a command copied from a page in a shell. Returns its standard output. */
  async function runInShell(command: string, values: Readonly<Record<string, string>> = {}): Promise<string> {
    const snippet = Object.entries(values).reduce(
      (text, [placeholder, value]) => text.replaceAll(placeholder, value),
      command,
    );
    const { stdout } = await promisify(execFile)('sh', ['-c', snippet.replaceAll(ISSUER, running.origin())]);
    return stdout;
  }

  /** Opens the authorization request, performs `steps`, and expects the application to get a code. Returns the page. */
  async function expectCode(
    client: TestClient,
    steps: (page: Page) => Promise<void>,
    callback = application,
  ): Promise<Page> {
    const { page, consoleErrors } = await chromium.open();
    await page.goto(authorizeUrl(client));
    await steps(page);
    await page.getByText('Back at the application').waitFor();
    expect(callback.receivedQueries.at(-1)?.get('code')).to.match(/^glc_/);
    expect(consoleErrors).to.deep.equal([]);
    return page;
  }

  const BROWSER_OPTIONS = {
    'with JavaScript, on a desktop in light colors': {
      javaScriptEnabled: true,
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
    },
    'without JavaScript, on a phone in dark colors': {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    },
  } as const;
  for (const javaScriptEnabled of [true, false]) {
    it(`delivers the response in a form, ${javaScriptEnabled ? 'automatically' : 'with a button'}`, async () => {
      const user = await running.addUser();
      const client = await running.addClient({ redirectUris: [application.redirectUri('127.0.0.1')] });
      const { page, consoleErrors } = await chromium.open({ javaScriptEnabled });
      await page.goto(authorizeUrl(client, { response_mode: 'form_post' }));
      await logIn(page, user);
      await press(page, 'Authorize');
      if (!javaScriptEnabled) await press(page, 'Continue');
      await page.getByText('Back at the application').waitFor();
      expect(consoleErrors).to.deep.equal([]);
    });
  }

  for (const [mode, options] of Object.entries(BROWSER_OPTIONS)) {
    it(`takes a user from the set-up link to a revoked token, ${mode}`, async () => {
      const { page, consoleErrors } = await chromium.open(options);
      await page.goto(`${running.origin()}/accounts/setup/?token=${running.service().setup.token() ?? ''}`);
      await typeIntoFocusedField(page, 'ada');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('correct horse');
      await page.keyboard.press('Enter');
      await page.getByText('Hello, ada').waitFor();
      const menu = page.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
      await press(page, 'Log out');
      await page.getByRole('link', { name: 'Register an application' }).click();
      await logIn(page, { username: 'ada', password: 'correct horse' });

      await fill(page, { Name: 'Engine', 'Redirect URIs': application.redirectUri('127.0.0.1') });
      await page.getByLabel('Let me try the application in the browser').uncheck();
      await press(page, 'Register');
      const secret = await page.locator('#client-secret').innerText();
      expect(secret).to.match(/^gls/);
      await page.getByRole('link', { name: 'I have stored it' }).click();
      await page.locator('.example').first().waitFor();
      const commands = Object.fromEntries(
        await Promise.all(
          (await page.locator('.example').all()).map(
            async (example) =>
              [
                await example.locator('h3').innerText(),
                (await example.locator('pre code').first().textContent()) ?? '',
              ] as const,
          ),
        ),
      );
      expect(await page.locator('#client-secret').count()).to.equal(0);

      await page.goto((commands['Authorization code: ask the user'] ?? '').replace(ISSUER, running.origin()));
      expect(await page.locator('main').innerText())
        .to.include('Engine')
        .and.include('127.0.0.1')
        .and.include('e-mail address of every user');
      await press(page, 'Authorize');
      await page.getByText('Back at the application').waitFor();
      const code = application.receivedQueries[0]?.get('code') ?? '';

      const tokens = JSON.parse(
        await runInShell(commands['Authorization code: exchange the code'] ?? '', {
          CODE: code,
          CLIENT_SECRET: secret,
        }),
      ) as Record<string, string>;
      expect(tokens).to.include({ token_type: 'Bearer', scope: 'read write' });
      const useToken = (): Promise<string> =>
        runInShell(commands['Use the token'] ?? '', { ACCESS_TOKEN: tokens['access_token'] ?? '' });
      expect(await useToken()).to.include('"username":"ada"');

      await page.goto(`${running.origin()}/o/authorized_tokens/`);
      await page.locator('summary', { hasText: 'Revoke access for Engine' }).click();
      await press(page, 'Revoke access for Engine');
      await page.getByRole('status').getByText('Engine no longer has access to your account.').waitFor();
      await page.getByText('No applications have access to your account').waitFor();
      expect(await useToken())
        .to.include('"detail"')
        .and.not.include('ada');
      expect(consoleErrors).to.deep.equal([]);
    });
  }

  describe('asks for consent', () => {
    const SEES_USERS = 'See the user name, first and last name and e-mail address of every user';
    const EFFECTS = [SEES_USERS, 'Create accounts on this server', 'See the names of all groups on this server'];
    /** An operator's descriptions, which do not mention the sample API. */
    const scopes = { read: 'Nothing of note', write: 'A formality', groups: 'Almost nothing' };

    /** Returns the effects shown on the consent page, each with the scope whose list item contains it. */
    async function findShownEffects(
      settings: Readonly<Record<string, unknown>>,
    ): Promise<readonly (readonly [string, string])[]> {
      await running.close();
      running = await runningService({ settings: { issuer: ISSUER, ...settings } });
      const client = await running.addClient({ redirectUris: [application.redirectUri('127.0.0.1')] });
      const { page } = await chromium.open();
      await page.goto(authorizeUrl(client, { scope: Object.keys(scopes).join(' ') }));
      await logIn(page, await running.addUser('ada'));
      await page.getByRole('button', { name: 'Authorize', exact: true }).waitFor();
      const effects: (readonly [string, string])[] = [];
      for (const name of Object.keys(scopes)) {
        const entry = page.getByRole('listitem').filter({ has: page.locator(`[name=scope][value=${name}]`) });
        for (const effect of EFFECTS)
          if (await entry.getByText(effect, { exact: true }).isVisible()) effects.push([name, effect]);
      }
      return effects;
    }

    it('and says what each scope allows through the sample API, regardless of its description', async () => {
      const effectsByScope = [
        ['read', EFFECTS[0]],
        ['write', EFFECTS[1]],
        ['groups', EFFECTS[2]],
      ];
      expect(await findShownEffects({ scopes })).to.deep.equal(effectsByScope);
      expect(await findShownEffects({}), 'in the sample configuration').to.deep.equal(effectsByScope);
      expect(await findShownEffects({ scopes, readScope: 'groups', writeScope: 'groups' })).to.deep.equal(
        [EFFECTS[0], EFFECTS[1], EFFECTS[2]].map((effect) => ['groups', effect]),
      );
    });

    it('and does not mention the sample API if it is off', async () => {
      expect(await findShownEffects({ scopes, sampleApi: false })).to.deep.equal([]);
    });
  });

  describe('delivers the code', () => {
    let owner: TestUser;

    beforeEach(async () => {
      owner = await running.addUser('ada');
    });

    const logInAndAuthorize = async (page: Page): Promise<void> => {
      await logIn(page, owner);
      await press(page, 'Authorize');
    };

    for (const host of ['127.0.0.1', 'localhost']) {
      it(`to ${host}, after a login`, async () => {
        await expectCode(await running.addClient({ redirectUris: [application.redirectUri(host)] }), logInAndAuthorize);
      });
    }

    it('to [::1]', async function () {
      const ipv6Application = await startCallbackServer('::1').catch(() => undefined);
      if (ipv6Application === undefined) return this.skip(); // This machine has no IPv6.
      try {
        await expectCode(
          await running.addClient({ redirectUris: [ipv6Application.redirectUri('[::1]')] }),
          logInAndAuthorize,
          ipv6Application,
        );
      } finally {
        await ipv6Application.close();
      }
    });

    it('to an application that redirects to another of its hosts', async () => {
      const page = await expectCode(
        await running.addClient({ redirectUris: [application.forwardingUri] }),
        logInAndAuthorize,
      );
      expect(new URL(page.url()).hostname).to.equal('localhost');
    });

    it('directly from the login form if consent is skipped', async () => {
      const client = await running.addClient({
        redirectUris: [application.redirectUri('localhost')],
        skipAuthorization: true,
      });
      await expectCode(client, (page) => logIn(page, owner));
    });

    it('without a second consent, with approval_prompt=auto', async () => {
      const client = await running.addClient({ redirectUris: [application.redirectUri('127.0.0.1')] });
      const page = await expectCode(client, logInAndAuthorize);
      const code = application.receivedQueries[0]?.get('code') ?? '';
      await running.token(client, { grant_type: 'authorization_code', code });
      await page.goto(authorizeUrl(client, { approval_prompt: 'auto' }));
      await page.getByText('Back at the application').waitFor();
      expect(application.receivedQueries).to.have.length(2);
    });

    it('with the keyboard alone, without a scope that the user unticked', async () => {
      const client = await running.addClient({ redirectUris: [application.redirectUri('127.0.0.1')] });
      await expectCode(client, async (page) => {
        await typeIntoFocusedField(page, owner.username);
        await page.keyboard.press('Tab');
        await page.keyboard.type(owner.password);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Authorize' }).waitFor();
        await tabTo(page.getByRole('checkbox', { name: 'Create accounts on this server Whole server', exact: true }));
        await page.keyboard.press('Space');
        await tabTo(page.getByRole('button', { name: 'Authorize', exact: true }));
        await page.keyboard.press('Enter');
      });
      const { json } = await running.token(client, {
        grant_type: 'authorization_code',
        code: application.receivedQueries[0]?.get('code') ?? '',
      });
      expect(json).to.include({ scope: 'read' });
    });

    it('or the access_denied error if the user denies the request', async () => {
      const { page } = await chromium.open();
      await page.goto(
        authorizeUrl(await running.addClient({ redirectUris: [application.redirectUri('localhost')] }), {
          state: 'xyz',
        }),
      );
      await logIn(page, owner);
      await press(page, 'Deny');
      await page.getByText('Back at the application').waitFor();
      expect(Object.fromEntries(application.receivedQueries[0] ?? []))
        .to.include({ error: 'access_denied', state: 'xyz' })
        .and.not.have.property('code');
    });
  });
});

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
}

async function press(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
}

async function logIn(page: Page, { username, password }: TestUser): Promise<void> {
  await fill(page, { 'User name or e-mail address': username, Password: password });
  await press(page, 'Log in');
}
