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

describe('An OpenID Connect request whose session ends before it is recorded', () => {
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
  const readCode = ({ location }: Page): string => new URL(location ?? '').searchParams.get('code') ?? '';
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

  /** Returns the distinct violations that the audit finds, each as rule and severity. */
  async function findViolations(): Promise<readonly string[]> {
    const findings: AuditFinding[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    return [...new Set(findings.map(({ rule, severity }) => `${rule}: ${severity}`))];
  }

  for (const [event, end] of [
    ['a logout', logOut],
    ['a logout of all sessions', logOutEverywhere],
  ] as const) {
    it(`is refused after ${event} if it redeems a code or refreshes, and the audit reports a notice`, async () => {
      const [code, tokens] = [
        readCode(await approve(await openConsent())),
        await redeem(readCode(await approve(await openConsent()))),
      ];
      expect(tokens.status).to.equal(200);
      const [responses] = await racing.runBehind(end, GRANT, () => Promise.all([redeem(code), refresh(tokens)]));
      expect(responses.map(({ json }) => json?.['error'])).to.deep.equal(['invalid_grant', 'invalid_grant']);
      const bearer = { authorization: `Bearer ${String(tokens.json?.['access_token'])}` };
      expect((await running.get('/users/', bearer)).status).to.equal(401);
      expect(await findViolations()).to.deep.equal(['grants-end-with-their-session: notice']);
    });
  }

  it('yields no redeemable code after a logout if it is an approval, and the audit reports a notice', async () => {
    const page = await openConsent();
    const [response] = await racing.runBehind(logOut, GRANT, () => approve(page));
    const { status, json } = await redeem(readCode(response));
    expect([status, json?.['error']]).to.deep.equal([400, 'invalid_grant']);
    expect(await findViolations()).to.deep.equal(['grants-end-with-their-session: notice']);
  });
});
