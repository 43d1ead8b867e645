import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { parseRedirect, authorizePath, expectErrorRedirect, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { expectRefusal, expectTokens, expectNothingAppended } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
} from '../support/running-service.ts';

const TOKENS = { scope: 'read write', refresh: true };
/** The example from RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const S256_CHALLENGE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
const PRINTABLE_CHARACTER = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
const ANY_VERIFIER = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-', '.', '_', '~'), minLength: 43, maxLength: 128 }),
  fc.string({ unit: PRINTABLE_CHARACTER, minLength: 1, maxLength: 256 }),
);

const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

describe('RFC 7636: PKCE', () => {
  let running: RunningService;
  let confidentialClient: TestClient;
  let publicClient: TestClient;
  let browser: BrowserSession;

  async function start(settings = {}): Promise<void> {
    running = await runningService({ settings });
    confidentialClient = await running.addClient();
    publicClient = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    browser = await openSession(running, await running.addUser());
  }
  beforeEach(() => start());
  afterEach(() => running.close());

  async function authorize(client: TestClient, parameters: Readonly<Record<string, string>> = {}): Promise<string> {
    const page = await browser.get(authorizePath(client, parameters));
    return parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters['code'] ?? '';
  }
  const redeem = (client: TestClient, code: string, verifier?: string): Promise<TestResponse> =>
    running.post('/o/token/', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id: client.id,
      client_secret: client.secret,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
    });

  it('accepts the verifier from appendix B, for both client types', async () => {
    for (const client of [confidentialClient, publicClient]) {
      expectTokens(await redeem(client, await authorize(client, S256_CHALLENGE), VERIFIER), TOKENS);
    }
  });

  it('accepts only the verifier whose challenge was sent', async () => {
    await fc.assert(
      fc.asyncProperty(ANY_VERIFIER, ANY_VERIFIER, async (verifier, otherVerifier) => {
        fc.pre(verifier !== otherVerifier);
        const code = await authorize(publicClient, { code_challenge: s256(verifier), code_challenge_method: 'S256' });
        expectRefusal(
          await expectNothingAppended(running, () => redeem(publicClient, code, otherVerifier)),
          'invalid_grant',
        );
        expectTokens(await redeem(publicClient, code, verifier), TOKENS);
      }),
      { numRuns: 15 },
    );
  });

  it('enforces a challenge, even for a client that may omit it', async () => {
    const code = await authorize(confidentialClient, S256_CHALLENGE);
    expectRefusal(await expectNothingAppended(running, () => redeem(confidentialClient, code)), 'invalid_grant');
    expectRefusal(
      await expectNothingAppended(running, () => redeem(confidentialClient, code, 'x'.repeat(43))),
      'invalid_grant',
    );
    expectRefusal(
      await expectNothingAppended(running, () => redeem(confidentialClient, code, CHALLENGE)),
      'invalid_grant',
    );
    expectTokens(await redeem(confidentialClient, code, VERIFIER), TOKENS);
  });

  it('refuses a verifier without a challenge, without invalidating the code', async () => {
    const code = await authorize(confidentialClient);
    expectRefusal(
      await expectNothingAppended(running, () => redeem(confidentialClient, code, VERIFIER)),
      'invalid_grant',
    );
    expectTokens(await redeem(confidentialClient, code), TOKENS);
  });

  // The django-oauth-toolkit getting-started guide uses verifiers like these.
  it('accepts a padded base64 verifier whose challenge has no padding', async () => {
    for (const letterCount of [43, 44, 45, 128]) {
      const verifier = Buffer.from('A'.repeat(letterCount)).toString('base64');
      const code = await authorize(publicClient, { code_challenge: s256(verifier), code_challenge_method: 'S256' });
      expectTokens(await redeem(publicClient, code, verifier), TOKENS);
    }
  });

  it('refuses a verifier that is too long or not printable ASCII, without invalidating the code', async () => {
    const longestVerifier = 'x'.repeat(256);
    const code = await authorize(publicClient, {
      code_challenge: s256(longestVerifier),
      code_challenge_method: 'S256',
    });
    const overlongVerifiers = [`${longestVerifier}x`, 'x'.repeat(10_000)];
    const unprintableVerifiers = ['\n', '\t', '\u0000', '\u007f', 'é', '\u{1F511}'].map(
      (character) => `${VERIFIER}${character}`,
    );
    for (const verifier of [...overlongVerifiers, ...unprintableVerifiers]) {
      expectRefusal(
        await expectNothingAppended(running, () => redeem(publicClient, code, verifier)),
        'invalid_request',
      );
    }
    expectTokens(await redeem(publicClient, code, longestVerifier), TOKENS);
  });

  it('does not accept an empty verifier', async () => {
    const code = await authorize(publicClient, { code_challenge: s256(''), code_challenge_method: 'S256' });
    expectRefusal(await expectNothingAppended(running, () => redeem(publicClient, code, '')), 'invalid_grant');
  });

  it('is optional for confidential clients and required for public clients', async () => {
    expectTokens(await redeem(confidentialClient, await authorize(confidentialClient)), TOKENS);
    expectErrorRedirect(await browser.get(authorizePath(publicClient)), 'invalid_request');
    expectErrorRedirect(await browser.get(authorizePath(publicClient, { code_challenge: '' })), 'invalid_request');
  });

  it('supports only S256, and refuses plain, an omitted method and unknown methods', async () => {
    for (const method of ['plain', 's256', 'S512', '', null]) {
      expectErrorRedirect(
        await browser.get(authorizePath(publicClient, { code_challenge: CHALLENGE, code_challenge_method: method })),
        'invalid_request',
      );
    }
  });

  it('refuses a challenge that is not an unpadded base64url SHA-256', async () => {
    const otherCharacters = ['=', '+', '/', '.', '~'].map((character) => `${CHALLENGE.slice(1)}${character}`);
    for (const challenge of ['short', 'x'.repeat(42), 'x'.repeat(44), `${CHALLENGE}=`, ...otherCharacters]) {
      expectErrorRedirect(
        await browser.get(authorizePath(publicClient, { ...S256_CHALLENGE, code_challenge: challenge })),
        'invalid_request',
      );
    }
  });

  it('allows plain if the operator lists it, but not the challenge as the verifier for S256', async () => {
    await running.close();
    await start({ pkceMethods: ['S256', 'plain'] });
    const verifiers = [
      ['plain', VERIFIER],
      ['', VERIFIER],
      ['plain', `${'x'.repeat(100)}.~`],
    ] as const;
    for (const [method, verifier] of verifiers) {
      const code = await authorize(publicClient, { code_challenge: verifier, code_challenge_method: method });
      expectTokens(await redeem(publicClient, code, verifier), TOKENS);
    }
    for (const invalidChallenge of ['x'.repeat(42), 'x'.repeat(129), `${VERIFIER}=`]) {
      const path = authorizePath(publicClient, { code_challenge: invalidChallenge, code_challenge_method: 'plain' });
      expectErrorRedirect(await browser.get(path), 'invalid_request');
    }
    expectRefusal(
      await redeem(publicClient, await authorize(publicClient, S256_CHALLENGE), CHALLENGE),
      'invalid_grant',
    );
  });

  it('can be required for all clients or for none', async () => {
    await running.close();
    await start({ requirePkce: 'all' });
    expectErrorRedirect(await browser.get(authorizePath(confidentialClient)), 'invalid_request');
    await running.close();
    await start({ requirePkce: 'none' });
    expectTokens(await redeem(publicClient, await authorize(publicClient)), TOKENS);
    expectRefusal(await redeem(publicClient, await authorize(publicClient, S256_CHALLENGE)), 'invalid_grant');
  });
});
