import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callControl } from '../../src/operations/control/client.ts';
import { compact, readEntries, readFilesBelow, findLeaks, type Leak, type NamedSecret } from '../support/at-rest.ts';
import { browserSession, type BrowserSession, type Page } from '../support/browser-session.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';

const REDIRECT_URI = 'https://app.example/callback';
const ADA = { username: 'ada-byron-king', email: 'ada@lovelace.example', password: 'the difference engine' };
const GRACE = { username: 'grace-brewster', email: 'grace@hopper.example', password: 'a bug in relay 70' };
const ALAN = {
  username: 'alan-mathison',
  email: 'alan@turing.example',
  first_name: 'Mathison',
  last_name: 'Wintersgill',
  password: 'on computable numbers',
};
const EDSGER = {
  username: 'edsger-wybe',
  email: 'edsger@dijkstra.example',
  firstName: 'Wybe',
  lastName: 'Nuenensis',
  password: 'goto is considered harmful',
};
const NEW_PASSWORD = 'structured programming 1968';
const WRONG_PASSWORD = 'a password that is wrong';
const IMPORTED_CLIENT = { clientId: 'imported-client', clientSecret: 'secret-that-people-chose' };
/** The name of an unknown browser, which pages show verbatim. */
const BROWSER = 'Quuxlynx';
const USER_AGENT = `${BROWSER}/2.8 (Plan 9)`;
const PROFILE = { nickname: 'Amazing-Grace', phone_number: '+12025550143', email: 'grace@navy.example' };
const VERIFIER = 'a-pkce-code-verifier-that-is-long-enough-to-be-valid';

describe('the data directory', function () {
  this.timeout(180_000);

  let parentDirectory: string;
  let dataDir: string;
  let server: ServerProcess;
  let secrets: Map<string, string>;
  /** The output of all servers. */
  let output: string;
  /** A public value that every search must find, to check the search itself. */
  let clientId: string;

  before(async () => {
    parentDirectory = mkdtempSync(join(tmpdir(), 'grantlog-at-rest-'));
    dataDir = join(parentDirectory, 'data');
    secrets = new Map();
    output = '';
    const env = {
      GRANTLOG_SIGNUP: 'open',
      GRANTLOG_SAMPLE_API: 'true',
      GRANTLOG_LOG_LEVEL: 'trace',
      GRANTLOG_MAIL: `file:${join(parentDirectory, 'mails')}`,
    };
    server = await startServer(dataDir, { env });
    clientId = await runAllFlows();
  });
  after(async () => {
    await server.destroy();
    rmSync(parentDirectory, { recursive: true });
  });

  function rememberSecret(name: string, text: string | undefined): string {
    if (text === undefined || text === '') throw new Error(`there is no ${name}`);
    secrets.set(text, name);
    return text;
  }

  /** Remembers every credential in a response as a secret to search for. */
  function rememberCredentials(response: string): void {
    for (const [credential] of response.matchAll(/gl[acr]_[\w-]{49,}|gls[0-9A-Za-z]{49}/g))
      rememberSecret(`a credential ${credential.slice(0, 4)}`, credential);
  }

  function rememberCookies(browser: BrowserSession): void {
    for (const [name, value] of browser.cookies()) {
      rememberSecret(`the cookie ${name}`, value);
      if (name !== 'grantlog') continue;
      const { sessionId, csrf } = JSON.parse(Buffer.from(value, 'base64').toString()) as {
        sessionId?: string;
        csrf: string;
      };
      rememberSecret('a CSRF token', csrf);
      if (sessionId !== undefined) rememberSecret('a session id', sessionId);
    }
  }

  async function submit(
    browser: BrowserSession,
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    action?: string,
  ): Promise<Page> {
    const page = await browser.get(path);
    rememberCookies(browser);
    const response = await browser.submit(page, fields, action);
    rememberCookies(browser);
    rememberCredentials(response.html + (response.location ?? ''));
    expect(response.status, `${path} ${response.html}`).to.be.below(400);
    return response;
  }

  /** Submits a form whose response sets a cookie with the new secret. Returns the page that it redirects to. */
  async function submitForSecret(
    browser: BrowserSession,
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<Page> {
    const { location } = await submit(browser, path, fields);
    rememberSecret('a sealed secret', /grantlog-secret=([\w-]+)/.exec(browser.cookieHeader(location ?? ''))?.[1]);
    const page = await browser.get(location ?? '');
    rememberCredentials(page.html);
    return page;
  }

  async function post(
    path: string,
    fields: Readonly<Record<string, string>>,
    authorization: string,
    expected = 200,
  ): Promise<Readonly<Record<string, string>>> {
    const response = await fetch(new URL(path, server.origin), {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { authorization },
    });
    const text = await response.text();
    expect(response.status, `${path} ${text}`).to.equal(expected);
    rememberCredentials(text);
    return (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, string>>;
  }

  async function operate(operation: string, input: object): Promise<Readonly<Record<string, string>>> {
    for await (const response of callControl(join(dataDir, 'control.sock'), operation, input)) {
      rememberCredentials(JSON.stringify(response));
      return response as Readonly<Record<string, string>>;
    }
    throw new Error(`${operation} got no response`);
  }

  const requestToken = (fields: Readonly<Record<string, string>>, client: string, expected = 200) =>
    post('/o/token/', fields, client, expected);

  /** Runs every flow that handles a secret or personal data. Returns the id of a client registered by a user. */
  async function runAllFlows(): Promise<string> {
    for (const user of [ADA, GRACE, ALAN, EDSGER])
      for (const [field, text] of Object.entries(user)) rememberSecret(`a user's ${field}`, text);
    for (const [name, text] of Object.entries({
      NEW_PASSWORD,
      WRONG_PASSWORD,
      VERIFIER,
      IMPORTED: IMPORTED_CLIENT.clientSecret,
      BROWSER,
      ...PROFILE,
    }))
      rememberSecret(name, text);

    const [, link = ''] = await server.waitForOutput(/(\/accounts\/setup\/\?token=[\w-]+)/);
    rememberSecret('the set-up token', link.split('token=')[1]);
    const ada = browserSession(() => server.origin);
    await submit(ada, link, ADA, '/accounts/setup/');
    const grace = browserSession(() => server.origin, { 'user-agent': USER_AGENT });
    await submit(grace, '/accounts/signup/', GRACE, '/accounts/signup/');
    expect((await browserSession(() => server.origin).logIn(GRACE.username, WRONG_PASSWORD)).status).to.equal(422);

    const registrationPage = await submitForSecret(ada, '/o/applications/register/', {
      name: 'Engine',
      client_type: 'confidential',
      authorization_grant_type: ['authorization-code', 'client-credentials', 'password'],
      redirect_uris: REDIRECT_URI,
    });
    const id = /id="client-id"[^>]*>([^<]+)</.exec(registrationPage.html)?.[1] ?? '';
    const rotationPage = await submitForSecret(ada, `/o/applications/${id}/rotate_secret/`, { old_secret: 'now' });
    const client = basic(id, /gls[0-9A-Za-z]{49}/.exec(rotationPage.html)?.[0] ?? '');

    const { access_token: writer = '' } = await requestToken({ grant_type: 'client_credentials' }, client);
    await post('/users/', ALAN, `Bearer ${writer}`, 201);
    await redeemAndRefresh(grace, id, client);
    await requestToken({ grant_type: 'password', username: ALAN.username, password: ALAN.password }, client);
    await requestToken({ grant_type: 'password', username: ALAN.username, password: WRONG_PASSWORD }, client, 400);
    await runOperations();
    await submit(grace, '/accounts/details/', PROFILE);
    await submit(
      grace,
      '/accounts/',
      { first_name: PROFILE.nickname, last_name: '', email: PROFILE.email, current_password: GRACE.password },
      '/accounts/profile/',
    );
    expect((await grace.get('/accounts/sessions/')).html).to.include(BROWSER);
    await causeRefusal(grace, id);
    const { html } = await grace.get('/');
    await submit(
      grace,
      '/',
      { csrf_token: /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? '' },
      '/accounts/logout/',
    );
    await submit(grace, '/accounts/login/', GRACE, '/accounts/login/');
    return id;
  }

  /** Causes a refusal, whose explanation is stored on disk without personal data. */
  async function causeRefusal(browser: BrowserSession, id: string): Promise<void> {
    const query = new URLSearchParams({ client_id: id, redirect_uri: REDIRECT_URI, login_hint: GRACE.email });
    await browser.get(`/o/authorize/?${query.toString()}&response_type=nothing`);
  }

  async function redeemAndRefresh(browser: BrowserSession, id: string, client: string): Promise<void> {
    const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: REDIRECT_URI,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const codes: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { location } = await submit(browser, `/o/authorize/?${query.toString()}`, { allow: 'Authorize' });
      codes.push(new URL(location ?? '').searchParams.get('code') ?? '');
    }
    const [code = '', replayedCode = ''] = codes;
    const redemption = (value: string) => ({
      grant_type: 'authorization_code',
      code: value,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
    });
    const { refresh_token: refresh = '', access_token: access = '' } = await requestToken(redemption(code), client);
    const { refresh_token: successor = '' } = await requestToken(
      { grant_type: 'refresh_token', refresh_token: refresh },
      client,
    );
    await requestToken({ grant_type: 'refresh_token', refresh_token: refresh }, client);
    await post('/o/introspect/', { token: access }, client);
    await post('/o/revoke_token/', { token: successor }, client);
    await requestToken(redemption(replayedCode), client);
    await requestToken(redemption(replayedCode), client, 400);
  }

  async function runOperations(): Promise<void> {
    const importInput = {
      name: 'Imported',
      clientType: 'confidential',
      grantTypes: ['client-credentials'],
      redirectUris: [],
      allowedOrigins: [],
      skipAuthorization: false,
      owner: ADA.username,
      credentials: IMPORTED_CLIENT,
    };
    await operate('client add', importInput);
    await requestToken(
      { grant_type: 'client_credentials' },
      basic(IMPORTED_CLIENT.clientId, IMPORTED_CLIENT.clientSecret),
    );
    await operate('client rotate-secret', { clientId: IMPORTED_CLIENT.clientId });
    await operate('user add', { ...EDSGER, roles: [] });
    await operate('user passwd', { username: EDSGER.username, password: NEW_PASSWORD });
    await operate('user erase', { username: EDSGER.username });
  }

  async function stop(): Promise<void> {
    server.kill('SIGTERM');
    expect(await server.exitStatus).to.equal(0);
    output += server.output();
  }

  /** Searches every file and, if `includesEntries` is true, every log entry, which requires a closed log. */
  async function search(includesEntries: boolean): Promise<readonly Leak[]> {
    const contents = new Map([
      ...readFilesBelow(dataDir),
      ...(includesEntries ? await readEntries(join(dataDir, 'log')) : []),
    ]);
    expect(findLeaks(contents, [{ name: 'the client id', text: clientId }])).not.to.deep.equal([]);
    return findLeaks(
      contents,
      [...secrets].map(([text, name]): NamedSecret => ({ name, text })),
    );
  }

  it('contains no secret or personal data from the traffic while the server runs', async () => {
    expect([...secrets.keys()].filter((text) => /^gl[acrs]/.test(text))).to.have.length.at.least(15);
    expect(await search(false)).to.deep.equal([]);
  });

  it('contains no secret or personal data in its closed log, after a compaction, or after a restart', async () => {
    await stop();
    expect(await search(true)).to.deep.equal([]);
    await compact(join(dataDir, 'log'));
    expect(await search(true)).to.deep.equal([]);
    server = await startServer(dataDir);
    await stop();
    expect(await search(true)).to.deep.equal([]);
  });

  it('contains the sealing keys only in keys/', () => {
    const lines = readFileSync(join(dataDir, 'keys', 'users.keys'), 'utf8')
      .trim()
      .split('\n');
    expect(lines).to.have.length(3); // without the erased user
    const keys = lines.map((line) => ({ name: 'a key', text: line.split(' ')[1] ?? '' }));
    const otherFiles = new Map(
      [...readFilesBelow(dataDir)].filter(([path]) => !path.startsWith(join(dataDir, 'keys'))),
    );
    expect(findLeaks(otherFiles, keys)).to.deep.equal([]);
    expect(findLeaks(readFilesBelow(dataDir), keys)).to.have.length.at.least(3);
  });

  it('is accompanied by server output that contains no secret except the set-up link', () => {
    expect(output).to.contain('/accounts/setup/');
    const leaks = findLeaks(
      new Map([['the log lines', Buffer.from(output)]]),
      [...secrets].map(([text, name]) => ({ name, text })),
    );
    expect(leaks.filter(({ name }) => name !== 'the set-up token')).to.deep.equal([]);
  });

  it('is searched by a function that finds planted data in plain text, hex, base64 and base64url', () => {
    const text = 'gla_' + 'Zm9vYmFyYmF6'.repeat(4).slice(0, 43) + 'abcdef';
    const plantedTexts = [
      text,
      Buffer.from(text).toString('hex'),
      ...['', 'x', 'xy'].flatMap((prefix) =>
        (['base64', 'base64url'] as const).map((encoding) =>
          Buffer.from(`${prefix}${text} and more`).toString(encoding),
        ),
      ),
    ];
    for (const content of plantedTexts) {
      const leaks = findLeaks(new Map([['a file', Buffer.from(`before${content}after`)]]), [{ name: 'a token', text }]);
      expect(leaks, content).not.to.deep.equal([]);
    }
  });
});

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}
