import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseRedirect, authorizePath, expectErrorPage, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const REGISTERED_URI = 'https://app.example/callback?tenant=1';

describe('RFC 9700 §2.1: redirect URIs', () => {
  let running: RunningService;
  let browser: BrowserSession;

  before(async () => {
    running = await runningService();
    browser = await openSession(running, await running.addUser());
  });
  after(() => running.close());

  const findProblem = async (
    uri: string,
    clientType: 'confidential' | 'public' = 'confidential',
  ): Promise<string | undefined> => {
    const grantTypes = ['authorization-code'] as const;
    return running.addClient({ redirectUris: [uri], clientType, grantTypes }).then(
      () => undefined,
      (error: unknown) => String(error),
    );
  };

  it('must match exactly, or else the user sees an error page', async () => {
    const client = await running.addClient({ redirectUris: [REGISTERED_URI] });
    expect((await browser.get(authorizePath(client, { redirect_uri: REGISTERED_URI }))).status).to.equal(200);
    const variants = [
      'https://app.example/callback',
      `${REGISTERED_URI}&x=1`,
      `${REGISTERED_URI}#`,
      `${REGISTERED_URI}/`,
      `${REGISTERED_URI} `,
      ` ${REGISTERED_URI}`,
      REGISTERED_URI.toUpperCase(),
      'https://APP.example/callback?tenant=1',
      'HTTPS://app.example/callback?tenant=1',
      'https://app.example:443/callback?tenant=1',
      'http://app.example/callback?tenant=1',
      'https://app.example/./callback?tenant=1',
      'https://app.example/x/../callback?tenant=1',
      'https://app.example/%63allback?tenant=1',
      'https://app.example//callback?tenant=1',
      'https://user@app.example/callback?tenant=1',
      'https://app.example.evil.example/callback?tenant=1',
      'https://evil.example/?https://app.example/callback?tenant=1',
      'https://app.example\\@evil.example/callback?tenant=1',
      '//app.example/callback?tenant=1',
      '/callback?tenant=1',
      'callback',
      `${REGISTERED_URI}\u0000`,
      `${REGISTERED_URI}\n`,
    ];
    for (const uri of variants) expectErrorPage(await browser.get(authorizePath(client, { redirect_uri: uri })));
  });

  it('do not match after any single edit', async () => {
    const client = await running.addClient({ redirectUris: [REGISTERED_URI] });
    const arbitraryEdit = fc
      .tuple(fc.nat(REGISTERED_URI.length), fc.nat(2), fc.string({ maxLength: 2 }))
      .map(
        ([index, removedLength, insertion]) =>
          REGISTERED_URI.slice(0, index) + insertion + REGISTERED_URI.slice(index + removedLength),
      );
    await fc.assert(
      fc.asyncProperty(arbitraryEdit, async (uri) => {
        fc.pre(uri !== REGISTERED_URI && uri !== '');
        expectErrorPage(await browser.get(authorizePath(client, { redirect_uri: uri })));
      }),
      { numRuns: 60 },
    );
  });

  it('can be any of several registered URIs', async () => {
    const redirectUris = ['https://app.example/one', 'https://app.example/two'];
    const client = await running.addClient({ redirectUris });
    for (const uri of redirectUris) {
      const page = await browser.get(authorizePath(client, { redirect_uri: uri }));
      expect(parseRedirect(await browser.submit(page, { allow: 'Authorize' })).address).to.equal(uri);
    }
  });

  it('can be omitted if exactly one is registered', async () => {
    const client = await running.addClient({ redirectUris: ['https://app.example/only'] });
    const page = await browser.get(authorizePath(client, { redirect_uri: null }));
    expect(parseRedirect(await browser.submit(page, { allow: 'Authorize' })).address).to.equal(
      'https://app.example/only',
    );
  });

  it('cannot be registered with wildcards, fragments, user info or schemes that a browser executes', async () => {
    const invalidUris = [
      'https://*.app.example/',
      'https://app.example/*',
      'https://app.example/#x',
      'https://app.example/#',
      'https://user@app.example/',
      'https://user:pw@app.example/',
      'https://@app.example/',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://app.example/x',
      'about:blank',
      'ftp://app.example/',
      '/callback',
      'app.example/callback',
      '//app.example/callback',
      'https://',
      'https://app.example/a b',
      'https://app.example\\evil',
      'https://app.example/\u0000',
      'https://äpp.example/',
    ];
    for (const uri of invalidUris)
      for (const type of ['confidential', 'public'] as const)
        expect(await findProblem(uri, type), uri).to.include('redirectUris');
  });

  it('must use https, or http on a loopback address', async () => {
    for (const uri of [
      'https://app.example/',
      'https://app.example:8443/x?y=1',
      'http://127.0.0.1/cb',
      'http://[::1]:4000/cb',
      'http://localhost:3000/cb',
    ]) {
      expect(await findProblem(uri), uri).to.equal(undefined);
    }
    for (const uri of ['http://app.example/', 'http://127.0.0.1.evil.example/', 'http://localhost.evil.example/']) {
      expect(await findProblem(uri), uri).to.include('redirectUris');
    }
  });

  it('can have a private-use scheme with a dot, or a configured scheme, but only for public clients', async () => {
    expect(await findProblem('com.example.app:/callback', 'public')).to.equal(undefined);
    expect(await findProblem('com.example.app:/callback')).to.include('redirectUris');
    expect(await findProblem('myapp:/callback', 'public')).to.include('redirectUris');
    const configuredService = await runningService({
      settings: { redirectUriSchemes: ['myapp'], plainHttpRedirectUris: true },
    });
    try {
      await configuredService.addClient({
        redirectUris: ['myapp:/callback'],
        clientType: 'public',
        grantTypes: ['authorization-code'],
      });
      await configuredService.addClient({ redirectUris: ['http://intranet.example/cb'] });
    } finally {
      await configuredService.close();
    }
  });

  it('can have a private-use scheme, and the redirect keeps it unchanged', async () => {
    const uri = 'com.example.app:/callback';
    const client = await running.addClient({
      redirectUris: [uri],
      clientType: 'public',
      grantTypes: ['authorization-code'],
    });
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    const page = await browser.get(authorizePath(client, { redirect_uri: uri, state: 's', ...challenge }));
    expect((await browser.submit(page, { allow: 'Authorize' })).location).to.match(
      /^com\.example\.app:\/callback\?code=[^&]+&state=s&iss=/,
    );
  });
});
