import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { parseRedirect, authorizePath, expectErrorRedirect, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { expectRefusal, expectTokens, expectNothingAppended } from '../support/protocol-answers.ts';
import {
  REDIRECT_URI,
  runningService,
  type Answer,
  type RunningService,
  type TestClient,
} from '../support/running-service.ts';

const TOKENS = { scope: 'read write', refresh: true };
/** RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const ASKED = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
const A_PRINTABLE_CHARACTER = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
const A_VERIFIER = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-', '.', '_', '~'), minLength: 43, maxLength: 128 }),
  fc.string({ unit: A_PRINTABLE_CHARACTER, minLength: 1, maxLength: 256 }),
);

const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

describe('RFC 7636: PKCE', () => {
  let running: RunningService;
  let confidential: TestClient;
  let open: TestClient;
  let browser: BrowserSession;

  async function start(settings = {}): Promise<void> {
    running = await runningService({ settings });
    confidential = await running.addClient();
    open = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    browser = await openSession(running, await running.addUser());
  }
  beforeEach(() => start());
  afterEach(() => running.close());

  async function authorize(client: TestClient, parameters: Readonly<Record<string, string>> = {}): Promise<string> {
    const page = await browser.get(authorizePath(client, parameters));
    return parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters['code'] ?? '';
  }
  const redeem = (client: TestClient, code: string, verifier?: string): Promise<Answer> =>
    running.post('/o/token/', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id: client.id,
      client_secret: client.secret,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
    });

  it('accepts the verifier of appendix B, for either client type', async () => {
    for (const client of [confidential, open]) {
      expectTokens(await redeem(client, await authorize(client, ASKED), VERIFIER), TOKENS);
    }
  });

  it('accepts only the verifier whose challenge was sent', async () => {
    await fc.assert(
      fc.asyncProperty(A_VERIFIER, A_VERIFIER, async (verifier, other) => {
        fc.pre(verifier !== other);
        const code = await authorize(open, { code_challenge: s256(verifier), code_challenge_method: 'S256' });
        expectRefusal(await expectNothingAppended(running, () => redeem(open, code, other)), 'invalid_grant');
        expectTokens(await redeem(open, code, verifier), TOKENS);
      }),
      { numRuns: 15 },
    );
  });

  it('enforces a challenge that was sent, even for a client that needs none', async () => {
    const code = await authorize(confidential, ASKED);
    expectRefusal(await expectNothingAppended(running, () => redeem(confidential, code)), 'invalid_grant');
    expectRefusal(
      await expectNothingAppended(running, () => redeem(confidential, code, 'x'.repeat(43))),
      'invalid_grant',
    );
    expectRefusal(await expectNothingAppended(running, () => redeem(confidential, code, CHALLENGE)), 'invalid_grant');
    expectTokens(await redeem(confidential, code, VERIFIER), TOKENS);
  });

  it('refuses a verifier without a challenge, and the code stays valid', async () => {
    const code = await authorize(confidential);
    expectRefusal(await expectNothingAppended(running, () => redeem(confidential, code, VERIFIER)), 'invalid_grant');
    expectTokens(await redeem(confidential, code), TOKENS);
  });

  // As in the getting-started guide of django-oauth-toolkit: base64 of random letters, with padding.
  it('accepts a verifier of padded base64 whose challenge has no padding', async () => {
    for (const letters of [43, 44, 45, 128]) {
      const verifier = Buffer.from('A'.repeat(letters)).toString('base64');
      const code = await authorize(open, { code_challenge: s256(verifier), code_challenge_method: 'S256' });
      expectTokens(await redeem(open, code, verifier), TOKENS);
    }
  });

  it('refuses a verifier that is too long or not printable ASCII, and the code stays valid', async () => {
    const longest = 'x'.repeat(256);
    const code = await authorize(open, { code_challenge: s256(longest), code_challenge_method: 'S256' });
    const tooLong = [`${longest}x`, 'x'.repeat(10_000)];
    const others = ['\n', '\t', '\u0000', '\u007f', 'é', '\u{1F511}'].map((character) => `${VERIFIER}${character}`);
    for (const verifier of [...tooLong, ...others]) {
      expectRefusal(await expectNothingAppended(running, () => redeem(open, code, verifier)), 'invalid_request');
    }
    expectTokens(await redeem(open, code, longest), TOKENS);
  });

  it('does not accept an empty verifier', async () => {
    const code = await authorize(open, { code_challenge: s256(''), code_challenge_method: 'S256' });
    expectRefusal(await expectNothingAppended(running, () => redeem(open, code, '')), 'invalid_grant');
  });

  it('is optional for confidential clients and required for public ones', async () => {
    expectTokens(await redeem(confidential, await authorize(confidential)), TOKENS);
    expectErrorRedirect(await browser.get(authorizePath(open)), 'invalid_request');
    expectErrorRedirect(await browser.get(authorizePath(open, { code_challenge: '' })), 'invalid_request');
  });

  it('supports only S256: neither plain, nor plain by omission, nor anything else', async () => {
    for (const method of ['plain', 's256', 'S512', '', null]) {
      expectErrorRedirect(
        await browser.get(authorizePath(open, { code_challenge: CHALLENGE, code_challenge_method: method })),
        'invalid_request',
      );
    }
  });

  it('refuses a challenge that no verifier can match, because it is not an unpadded base64url SHA-256', async () => {
    const otherCharacters = ['=', '+', '/', '.', '~'].map((character) => `${CHALLENGE.slice(1)}${character}`);
    for (const challenge of ['short', 'x'.repeat(42), 'x'.repeat(44), `${CHALLENGE}=`, ...otherCharacters]) {
      expectErrorRedirect(
        await browser.get(authorizePath(open, { ...ASKED, code_challenge: challenge })),
        'invalid_request',
      );
    }
  });

  it('allows plain if the operator lists it, and S256 still does not accept the challenge as verifier', async () => {
    await running.close();
    await start({ pkceMethods: ['S256', 'plain'] });
    const verifiers = [
      ['plain', VERIFIER],
      ['', VERIFIER],
      ['plain', `${'x'.repeat(100)}.~`],
    ] as const;
    for (const [method, verifier] of verifiers) {
      const code = await authorize(open, { code_challenge: verifier, code_challenge_method: method });
      expectTokens(await redeem(open, code, verifier), TOKENS);
    }
    for (const short of ['x'.repeat(42), 'x'.repeat(129), `${VERIFIER}=`]) {
      const path = authorizePath(open, { code_challenge: short, code_challenge_method: 'plain' });
      expectErrorRedirect(await browser.get(path), 'invalid_request');
    }
    expectRefusal(await redeem(open, await authorize(open, ASKED), CHALLENGE), 'invalid_grant');
  });

  it('is required for all clients or for none if the operator says so', async () => {
    await running.close();
    await start({ requirePkce: 'all' });
    expectErrorRedirect(await browser.get(authorizePath(confidential)), 'invalid_request');
    await running.close();
    await start({ requirePkce: 'none' });
    expectTokens(await redeem(open, await authorize(open)), TOKENS);
    expectRefusal(await redeem(open, await authorize(open, ASKED)), 'invalid_grant');
  });
});
