import { expect } from 'chai';
import { grantsEndedBy } from '../../../../src/audit/queries/grants-ended-by.ts';
import { openSessionAs } from '../../../support/audit-pages.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';
import { authorizeInSession, authorizeThree } from '../../../support/session-grants.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The page for an event that ends sessions', () => {
  let running: RunningService;
  let lea: TestUser;
  let leasBrowser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    lea = await running.addUser('lea');
    leasBrowser = running.browser();
    await leasBrowser.logIn(lea.username, lea.password);
  });
  afterEach(() => running.close());

  const account = () => running.service().projections.users.findByName('lea') ?? expect.fail('no lea');

  /** Opens the page for the newest event of this type, and returns the authorizations that it lists as ended. */
  async function listEndedAuthorizations(type: string, language = 'en'): Promise<readonly string[]> {
    const event =
      (await running.events()).findLast((candidate) => candidate.type === type) ?? expect.fail(`no ${type}`);
    const name = `auditor ${language} ${event.position}`;
    await openSessionAs(running, name, 'auditor');
    const auditor = running.browser({ 'accept-language': language });
    await auditor.logIn(name, `${name}'s password`);
    const { html }: Page = await auditor.get(`/audit/events/${event.position}/`);
    const title =
      language === 'de' ? 'Zustimmungen, die durch dieses Ereignis endeten' : 'Authorizations that this event ended';
    const [, cells = expect.fail('no fact')] =
      new RegExp(`<dt>${title}</dt>\\s*<dd>([\\s\\S]*?)</dd>`).exec(html) ?? [];
    return [...cells.matchAll(/<div class="line">([\s\S]*?)<\/div>/g)].map(([, cell = '']) =>
      cell.replaceAll(/<[^>]*>|[\u2066-\u2069]/g, '').trim(),
    );
  }

  it('lists the authorizations that a password change ended, in each language', async () => {
    await authorizeThree(running, leasBrowser);
    await running.service().accounts.changePassword(account(), 'owl moon tea kettle', OPERATOR);
    expect(await listEndedAuthorizations('PasswordChanged')).to.deep.equal(['Portal']);
    expect(await listEndedAuthorizations('PasswordChanged', 'de')).to.deep.equal(['Portal']);
  });

  it('lists the authorizations that ended when all sessions ended, but not those that had already ended', async () => {
    await authorizeInSession(running, leasBrowser, await running.addClient({ name: 'Early' }), 'openid');
    await running.service().accounts.logOutEverywhere(account(), OPERATOR);
    expect(await listEndedAuthorizations('AllSessionsEnded')).to.deep.equal(['Early']);
    await leasBrowser.logIn(lea.username, lea.password);
    await authorizeThree(running, leasBrowser);
    await running.service().accounts.logOutEverywhere(account(), OPERATOR);
    expect(await listEndedAuthorizations('AllSessionsEnded')).to.deep.equal(['Portal']);
  });

  it('lists the authorizations that ended when one session ended, but not those of another session', async () => {
    const otherBrowser = running.browser();
    await otherBrowser.logIn(lea.username, lea.password);
    await authorizeInSession(running, otherBrowser, await running.addClient({ name: 'Elsewhere' }), 'openid');
    await authorizeThree(running, leasBrowser);
    await leasBrowser.submit(await leasBrowser.get('/accounts/'), {}, '/accounts/logout/');
    expect(await listEndedAuthorizations('SessionEnded')).to.deep.equal(['Portal']);
  });

  it('lists all authorizations that ended when the account was disabled', async () => {
    await authorizeThree(running, leasBrowser);
    await running.service().accounts.disable(account(), OPERATOR);
    expect(await listEndedAuthorizations('UserDisabled')).to.deep.equal(['Notes', 'Backup', 'Portal']);
  });

  it('says so if no authorization ended', async () => {
    await running.service().accounts.logOutEverywhere(account(), OPERATOR);
    expect(await listEndedAuthorizations('AllSessionsEnded')).to.deep.equal(['none']);
  });

  it('searches the log only up to a limit, and reports how far back it searched', async () => {
    await authorizeThree(running, leasBrowser);
    await running.service().accounts.logOutEverywhere(account(), OPERATOR);
    const event = (await running.events()).at(-1) ?? expect.fail('no event');
    const resultWithEventLimit = await grantsEndedBy(event, running.log, { maxEvents: 5, maxGrants: 10 });
    expect(resultWithEventLimit).to.deep.include({ grants: [], since: event.position - 4, isComplete: false });
    const resultWithGrantLimit = await grantsEndedBy(event, running.log, { maxEvents: 1_000, maxGrants: 1 });
    expect(resultWithGrantLimit).to.deep.include({ grants: [], isComplete: false });
  });
});
