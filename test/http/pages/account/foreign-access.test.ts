import { expect } from 'chai';
import { JWT_BEARER_GRANT_TYPE } from '../../../../src/oauth/grant-types/jwt-bearer.ts';
import { TOKEN_TYPES } from '../../../../src/oauth/exchange/token-types.ts';
import type { BrowserSession } from '../../../support/browser-session.ts';
import {
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';
import { expectAccessToken, exchangeForToken } from '../../../support/token-exchange.ts';
import { signForeignToken, OTHER_ISSUER, trustIssuer } from '../../../support/trusted-issuers.ts';

const JWT = { subject_token_type: TOKEN_TYPES.jwt };

describe('Access that began with a token from a trusted issuer', () => {
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    const grantTypes = ['jwt-bearer', 'token-exchange'] as const;
    client = await running.addClient({ name: 'Deployer', grantTypes, redirectUris: [] });
    await trustIssuer(running, client, { uses: ['assertion', 'subject-token'], mapping: 'user-name' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const issueTokenAbout = (sub: string): Promise<string> => signForeignToken(running, { claims: { sub } });
  const redeem = async (): Promise<string> => {
    const assertion = await issueTokenAbout('ada');
    return expectAccessToken(await running.token(client, { grant_type: JWT_BEARER_GRANT_TYPE, assertion }));
  };
  const exchange = async (): Promise<string> => exchangeForToken(running, client, await issueTokenAbout('ada'), JWT);
  const receipts = (html: string): readonly string[] => html.match(/\/receipt\//g) ?? [];
  const revoke = async (): Promise<void> => {
    const page = `/o/authorized_tokens/applications/${client.id}/`;
    await browser.submit(await browser.get(page), {}, `${page}revoke/`);
  };

  for (const [way, getAccess] of [
    ['an assertion', redeem],
    ['an exchange', exchange],
  ] as const) {
    it(`is in the user's activity, without a receipt, after ${way}`, async () => {
      await getAccess();
      const { html } = await browser.get('/accounts/activity/?type=application');
      const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
      expect(text).to.include(
        `Deployer got access with a token about you from ${OTHER_ISSUER}, which this server trusts`,
      );
      expect(text).to.include('Permissions: ').and.include('It got an access token just now');
      expect(html).to.include(`href="/o/authorized_tokens/applications/${client.id}/"`);
      expect(receipts(html)).to.deep.equal([]);
      await revoke();
      const activityPage = await browser.get('/accounts/activity/?type=application');
      expect(activityPage.html).to.include('You revoked its access').and.not.include(`/applications/${client.id}/`);
    });

    it(`is explained and can be revoked on the application's page, without a receipt, after ${way}`, async () => {
      const token = await getAccess();
      const { html } = await browser.get(`/o/authorized_tokens/applications/${client.id}/`);
      expect(html).to.include('You were not asked').and.include(OTHER_ISSUER);
      expect(html).to.match(/or get another token about you from https:\/\/issuer\.example/);
      expect(receipts(html)).to.deep.equal([]);
      await revoke();
      const introspector = await running.addClient({ restrictedScopes: ['introspection'] });
      const answer = await running.post('/o/introspect/', { token }, { authorization: introspector.basic });
      expect(answer.json).to.deep.equal({ active: false });
    });
  }

  it('has one entry for each application and day in the activity, so that it displaces nothing else', async () => {
    for (let count = 0; count < 3; count += 1) await redeem();
    await exchange();
    const activity = await browser.get('/accounts/activity/');
    expect(activity.html.match(/got access with a token about you/g)).to.have.length(1);
    expect(activity.html).to.include('You logged in');
    running.clock.advance(86_400);
    await browser.logIn(ada.username, ada.password);
    await redeem();
    const nextActivity = await browser.get('/accounts/activity/');
    expect(nextActivity.html.match(/got access with a token about you/g)).to.have.length(2);
  });

  it("is not in a user's activity if the application acts on its own behalf", async () => {
    await trustIssuer(running, client, { uses: ['assertion'] });
    await redeem();
    const { html } = await browser.get('/accounts/activity/');
    expect(html).to.not.include(OTHER_ISSUER);
  });
});
