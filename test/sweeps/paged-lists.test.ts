import { expect } from 'chai';
import type { EpochSeconds, UserId } from '../../src/domain/values.ts';
import { createApp } from '../../src/http/app.ts';
import { routesOf } from '../support/app-routes.ts';
import { addPasskey, createAuthenticator } from '../support/authenticator.ts';
import type { Page } from '../support/browser-session.ts';
import { addApplications, ROOT, startWithRoot } from '../support/many-applications.ts';
import type { RunningService } from '../support/running-service.ts';

/** Starts a session directly, because the login page limits the rate of logins. */
async function logIn(running: RunningService, userId: UserId): Promise<void> {
  const { loginSessions, projections } = running.service();
  const user = projections.users.find(userId) ?? expect.fail('there is no such user');
  const check = { method: 'password', checkedAsOf: running.log.head() } as const;
  const now = Math.floor(running.clock.now() / 1000) as EpochSeconds;
  expect(await loginSessions.start({ user, check }, now, { requestId: null }, undefined)).to.be.a('string');
}

const countRows = ({ html }: Page): number =>
  html.match(/<li class="row|<tr role="row">|<li>\s*<a class="items__title"/g)?.length ?? 0;

describe('Every list', () => {
  const ITEM_COUNT = 130;
  /** Fifty items and a heading, or ten applications with three authorizations each. */
  const MAX_ROWS = 51;
  /** Four kinds of items, each with a hundred items and a heading. */
  const MAX_ENTRIES = 4 * 101;

  it('is paged: no page grows with the number of items', async () => {
    const { running, browser, userId } = await startWithRoot();
    await addApplications(running, userId, ITEM_COUNT);
    const addDevice = (): Promise<Page> => addPasskey(browser, ROOT.password, createAuthenticator());
    const loom = await running.addClient({ name: 'Loom' });
    for (let count = 0; count < ITEM_COUNT; count += 1) {
      const client = await running.addClient({ name: `Client ${count}` });
      for (const tokenClient of [client, loom]) await running.token(tokenClient, { grant_type: 'password', ...ROOT });
      await logIn(running, userId);
      await running.addUser();
      if (count % 2 === 0) await addDevice();
    }
    const app = createApp(running.service(), { error: () => expect.fail('unexpected error') });
    const pages = routesOf(app).filter(({ method, openApi }) => method === 'GET' && openApi === undefined);
    const paths = pages.map(({ path }) =>
      path
        .replace(/\{.*\}/, '')
        .replace(':pk', '1')
        .replace(/:\w+/, loom.id),
    );
    expect(paths).to.include.members([
      '/o/applications',
      '/accounts/sessions',
      '/accounts/passkeys',
      '/admin/users/1/applications',
      `/o/authorized_tokens/applications/${loom.id}`,
    ]);
    const listPaths: string[] = [];
    for (const path of [...paths, `/audit/as-of/?position=${running.log.head()}`]) {
      const page = await browser.get(path);
      const isPage = page.headers.get('content-type')?.includes('text/html') === true;
      if (path === '/admin/settings') continue; // This page has one row per setting.
      const maxRows = path.startsWith('/audit/as-of') ? MAX_ENTRIES : MAX_ROWS;
      if (isPage) expect(countRows(page), path).to.be.at.most(maxRows);
      if (isPage && countRows(page) > 10) listPaths.push(path);
    }
    expect(listPaths, 'lists were found').to.have.length.above(8);
    await running.close();
  }).timeout(300_000);
});
