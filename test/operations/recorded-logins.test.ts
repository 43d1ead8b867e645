import { join } from 'node:path';
import { expect } from 'chai';
import type { AccessEntry } from '../../src/audit/queries/access-report.ts';
import { operate } from '../../src/operations/operations.ts';
import { readEvents, readKeys, thaw } from '../corpus/frozen.ts';
import { openSessionAs } from '../support/audit-pages.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

/** A frozen log from the last release that did not record logins. */
const EARLIER_LOG = join(import.meta.dirname, '../corpus/v8');

async function callOperation(running: RunningService, name: string, input: object): Promise<readonly object[]> {
  const items: object[] = [];
  for await (const item of operate(running.service())(name, input, new AbortController().signal))
    items.push(item as object);
  return items;
}

async function findPosition(running: RunningService, type: string): Promise<number> {
  const event = (await running.events()).find((candidate) => candidate.type === type);
  return event?.position ?? expect.fail(`there is no ${type}`);
}

async function openEventPage(running: RunningService, type: string): Promise<string> {
  const browser = await openSessionAs(running, 'ivy', 'auditor');
  return (await browser.get(`/audit/events/${await findPosition(running, type)}/`)).html;
}

describe('Auditors see the login behind an authorization', () => {
  let running: RunningService;

  afterEach(() => running.close());

  describe('in the log of this release', () => {
    beforeEach(async () => {
      running = await runningService();
      const ada = await running.addUser('ada');
      await running.authorize(await running.addClient(), ada, { scope: 'read' });
      await running.token(await running.addClient(), { grant_type: 'password', ...ada });
      await running.token(await running.addClient(), { grant_type: 'client_credentials' });
    });

    it('in a proof: the methods, time, class and session of the login', async () => {
      const [proof] = await callOperation(running, 'log prove', {
        subject: String(await findPosition(running, 'ConsentGiven')),
      });
      const session = (await running.events()).find(({ type }) => type === 'SessionStarted')?.stream ?? '';
      expect(proof).to.include({
        login: 'password',
        authenticated_at: running.clock.now() / 1000,
        amr: 'pwd',
        acr: 'pwd',
        session: session.slice('session-'.length),
      });
    });

    it('but not in a proof of an unrelated event', async () => {
      const [proof] = await callOperation(running, 'log prove', { subject: '1' });
      expect(proof).to.not.have.property('login');
    });

    it('in a report of past access, for grants and tokens that have a user', async () => {
      const [, ...entries] = (await callOperation(running, 'log as-of', {})) as readonly [object, ...AccessEntry[]];
      const loginsOf = (expectedKind: AccessEntry['kind']) =>
        entries
          .filter(({ kind }) => kind === expectedKind)
          .map(({ login, authenticated_at }) => [login, authenticated_at]);
      const passwordLogin = ['password', running.clock.now() / 1000];
      expect(loginsOf('grant')).to.deep.equal([passwordLogin]);
      expect(loginsOf('token')).to.deep.equal([passwordLogin, [null, null]]);
      expect(loginsOf('account')).to.deep.equal([[null, null]]);
    });

    it('on an event page', async () => {
      const html = await openEventPage(running, 'ConsentGiven');
      expect(html).to.include('in a session started with the password').and.to.include('Login: Session hash');
      expect(html).not.to.include('not recorded');
    });
  });

  describe('as “not recorded” in the log of an earlier release', () => {
    beforeEach(async () => {
      running = await thaw(readEvents(EARLIER_LOG), readKeys(EARLIER_LOG));
    });

    it('in a proof', async () => {
      const [proof] = await callOperation(running, 'log prove', {
        subject: String(await findPosition(running, 'AccessTokenIssued')),
      });
      expect(proof).to.include({ login: 'not recorded' });
    });

    it('in a report of past access', async () => {
      const [, ...entries] = (await callOperation(running, 'log as-of', {})) as readonly [object, ...AccessEntry[]];
      const logins = entries.filter(({ kind }) => kind === 'grant').map(({ login }) => login);
      expect(logins).to.include('not recorded').and.not.to.include('password');
    });

    it('on an event page', async () => {
      const html = await openEventPage(running, 'AuthorizationCodeIssued');
      // The page also lists the stream's other events, among them the consent, which this sentence describes.
      expect(html).to.include('in a session whose login is not recorded');
      expect(html).to.match(/<dt>Login<\/dt>[^/]*not recorded/);
    });
  });
});
