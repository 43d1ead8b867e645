import { expect } from 'chai';
import { audit, type AuditFinding } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import type { User } from '../../src/projections/users.ts';
import { authorizePath } from '../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import {
  REDIRECT_URI,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const GRANT = /^grant-/;

describe('An OpenID Connect request that is recorded behind the end of its session', () => {
  let racing: RacingService;
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;
  let browser: BrowserSession;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    ada = await running.addUser('ada');
    client = await running.addClient();
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => racing.close());

  const openConsent = (): Promise<Page> => browser.get(authorizePath(client, { scope: 'openid read' }));
  const approve = (page: Page): Promise<Page> => browser.submit(page, { allow: 'Authorize' });
  const codeOf = ({ location }: Page): string => new URL(location ?? '').searchParams.get('code') ?? '';
  const redeem = (code: string): Promise<TestResponse> =>
    running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  const refresh = ({ json }: TestResponse): Promise<TestResponse> =>
    running.token(client, { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) });

  async function logOut(): Promise<unknown> {
    const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/')).html);
    return running.browser({ cookie: browser.cookieHeader('/') }).post('/accounts/logout/', { csrf_token });
  }
  async function logOutEverywhere(): Promise<unknown> {
    const user: User = running.service().projections.users.findByName('ada') ?? expect.fail();
    return running.service().accounts.logOutEverywhere(user, OPERATOR);
  }

  /** The distinct violations that the audit finds, with rule and severity. */
  async function violations(): Promise<readonly string[]> {
    const found: AuditFinding[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) found.push(item);
    return [...new Set(found.map(({ rule, severity }) => `${rule}: ${severity}`))];
  }

  for (const [event, end] of [
    ['a logout', logOut],
    ['a logout everywhere', logOutEverywhere],
  ] as const) {
    it(`is refused if it redeems a code or refreshes behind ${event}, and the audit reports a notice`, async () => {
      const [code, tokens] = [
        codeOf(await approve(await openConsent())),
        await redeem(codeOf(await approve(await openConsent()))),
      ];
      expect(tokens.status).to.equal(200);
      const [responses] = await racing.runBehind(end, GRANT, () => Promise.all([redeem(code), refresh(tokens)]));
      expect(responses.map(({ json }) => json?.['error'])).to.deep.equal(['invalid_grant', 'invalid_grant']);
      const bearer = { authorization: `Bearer ${String(tokens.json?.['access_token'])}` };
      expect((await running.get('/users/', bearer)).status).to.equal(401);
      expect(await violations()).to.deep.equal(['grants-end-with-their-session: notice']);
    });
  }

  it('yields no redeemable code if it is an approval behind a logout', async () => {
    const page = await openConsent();
    const [response] = await racing.runBehind(logOut, GRANT, () => approve(page));
    const { status, json } = await redeem(codeOf(response));
    expect([status, json?.['error']]).to.deep.equal([400, 'invalid_grant']);
    expect(await violations()).to.deep.equal(['grants-end-with-their-session: notice']);
  });
});
