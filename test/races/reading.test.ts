import { expect } from 'chai';
import type { ClientId } from '../../src/domain/values.ts';
import type { User } from '../../src/projections/users.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import type { RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT = { username: 'root', password: "root's password" };

describe('A request that reads the log', () => {
  let racing: RacingService;
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    await running.service().accounts.register({ ...ROOT, roles: ['auditor'] }, OPERATOR);
    browser = running.browser();
    await browser.logIn(ROOT.username, ROOT.password);
  });
  afterEach(() => racing.close());

  const root = (): User => running.service().projections.users.findByName('root') ?? expect.fail();
  const readLog = (): Promise<Page> => browser.get('/audit/as-of/?position=1');

  it('is refused if the auditor loses the role during the read', async () => {
    const [page] = await racing.duringReading(readLog, () =>
      running.service().accounts.changeRoles(root(), [], OPERATOR),
    );
    expect(page.status).to.equal(403);
    expect(page.html).to.include('No access').and.not.include('The last event by then');
  });

  it('is refused if the session ends during the read, and the browser is redirected to the login page', async () => {
    const logOut = () => running.service().accounts.logOutEverywhere(root(), OPERATOR);
    const [page] = await racing.duringReading(readLog, logOut);
    expect(page.status).to.equal(302);
    expect(page.location).to.include('/accounts/login/');
  });

  it('is aborted if the client that its access token was issued to is removed during the read', async () => {
    const client = await running.addClient({ restrictedScopes: ['audit'] });
    const { json } = await running.token(client, { grant_type: 'client_credentials', scope: 'audit' });
    const authorization = `Bearer ${String(json?.['access_token'])}`;
    const readEvents = () => running.get('/o/events/', { authorization }).catch((error: unknown) => error);
    const remove = () => running.service().registration.remove(client.id as ClientId, OPERATOR);
    const [outcome] = await racing.duringReading(readEvents, remove);
    expect(outcome).to.be.instanceOf(Error).with.property('code', 'ECONNRESET');
  });
});
