import { expect } from 'chai';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import type { RunningService, TestClient, TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT: TestUser = { username: 'root', password: "root's password" };

describe("Revoking an application's access", () => {
  let racing: RacingService;
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    const { accounts } = running.service();
    await accounts.register({ ...ROOT, roles: ['administrator'] }, OPERATOR);
    await accounts.register({ username: 'other', password: 'the other password', roles: ['administrator'] }, OPERATOR);
    [ada, client] = [await running.addUser('ada'), await running.addClient()];
    for (let count = 0; count < 3; count += 1) await running.token(client, { grant_type: 'password', ...ada });
  });
  afterEach(() => racing.close());

  const findAccount = ({ username }: TestUser) =>
    running.service().projections.users.findByName(username) ?? expect.fail();
  const countGrants = (): number =>
    running.service().projections.grants.listByUser(findAccount(ada).userId, now()).length;
  const now = (): number => running.clock.now() / 1000;

  async function logIn({ username, password }: TestUser): Promise<BrowserSession> {
    const browser = running.browser();
    await browser.logIn(username, password);
    return browser;
  }

  it('is refused to an administrator whose role is removed before the revocation is recorded', async () => {
    const browser = await logIn(ROOT);
    const path = `/admin/users/${findAccount(ada).id}/authorizations/${client.id}/revoke/`;
    const form = await browser.get(path);
    const loseRole = () => running.service().accounts.changeRoles(findAccount(ROOT), [], OPERATOR);
    const [page] = await racing.runBehind(loseRole, /^grant-/, () => browser.submit(form, {}, path));
    expect(page.status).to.equal(403);
    expect(countGrants()).to.equal(3);
  });

  it('succeeds even if the user is logged out everywhere during the request', async () => {
    const browser = await logIn(ada);
    const form = await browser.get('/o/authorized_tokens/');
    const path = `/o/authorized_tokens/applications/${client.id}/revoke/`;
    const logOut = () => running.service().accounts.logOutEverywhere(findAccount(ada), OPERATOR);
    const [page] = await racing.runBehind(logOut, /^grant-/, () => browser.submit(form, {}, path));
    expect(page.status).to.equal(302);
    expect(countGrants()).to.equal(0);
  });
});

describe('A form that is submitted twice', () => {
  let racing: RacingService;
  beforeEach(async () => {
    racing = await startRacingService();
  });
  afterEach(() => racing.close());

  it('rotates a secret only once, and both responses show the same secret', async () => {
    const { running } = racing;
    const ada = await running.addUser('ada');
    const client = await running.addClient({ owner: 'ada' });
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const form = await browser.get(`/o/applications/${client.id}/rotate_secret/`);
    const send = (): Promise<Page> => browser.submit(form, { old_secret: 'day' });
    const responses = await racing.runBehind(send, /^client-/, send);
    const secrets: string[] = [];
    for (const { location } of responses) {
      const { html } = await browser.get(location ?? expect.fail('no redirect'));
      secrets.push(/id="client-secret"[^>]*>([^<]+)</.exec(html)?.[1] ?? expect.fail('no secret'));
    }
    expect(new Set(secrets)).to.have.length(1);
    expect((await running.events()).filter(({ type }) => type === 'ClientSecretRotated')).to.have.length(1);
  });
});
