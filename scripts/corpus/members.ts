import type { ClientMode } from '../../src/domain/values.ts';
import type { Client } from '../../src/projections/clients.ts';
import { hiddenFields, type BrowserSession, type Page } from '../../test/support/browser-session.ts';
import { png } from '../../test/support/images.ts';
import type { RunningService, TestUser } from '../../test/support/running-service.ts';
import { expectPage, elementText } from './expect-page.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/**
 * Records changes to the logo and the members of an application. An owner sets and removes the logo, invites a test
 * user and another owner, and withdraws an invitation. The operator adds a test user, and switches the application to
 * test mode. The owner removes this test user, and leaves the application.
 */
export async function recordMembersAndLogo(running: RunningService): Promise<void> {
  const [irma, jan, karl] = [
    await running.addUser('irma'),
    await running.addUser('jan'),
    await running.addUser('karl'),
  ] as const;
  const { id } = await running.addClient({ name: 'Shared', owner: irma.username });
  const { memberships, projections, registration } = running.service();
  const currentClient = (): Client => projections.clients.find(id) ?? fail('the application is gone');
  const path = `/o/applications/${id}/`;
  const [ownerBrowser, inviteeBrowser] = [await logIn(running, irma), await logIn(running, jan)];

  const image = { mediaType: 'image/png', base64: png().toString('base64') } as const;
  const userId = findUserId(running, irma);
  const byOwner = { actor: { kind: 'user', id: userId }, requestId: null } as const;
  for (const logo of [image, null]) await registration.changeLogo(currentClient().clientId, logo, byOwner);

  await accept(inviteeBrowser, await invite(ownerBrowser, path, 'test-user'));
  await accept(inviteeBrowser, await invite(ownerBrowser, path, 'owner'));
  await invite(ownerBrowser, path, 'test-user');
  await send(ownerBrowser, `${path}people/withdraw/`, { member_role: 'test-user' });
  const account = projections.users.findByName(karl.username) ?? fail('there is no user karl');
  await memberships.add(currentClient(), account, 'test-user', OPERATOR);
  await registration.update(
    currentClient().clientId,
    { ...currentClient(), mode: 'test' satisfies ClientMode },
    OPERATOR,
  );
  const { userId: removedUserId } = account;
  await memberships.remove(currentClient(), removedUserId, byOwner);
  await memberships.remove(currentClient(), userId, byOwner);
}

async function logIn(running: RunningService, { username, password }: TestUser): Promise<BrowserSession> {
  const browser = running.browser();
  await expectPage(browser.logIn(username, password));
  return browser;
}

/** Posts a form with the CSRF token of the session. */
async function send(browser: BrowserSession, path: string, fields: Readonly<Record<string, string>>): Promise<Page> {
  const { csrf_token = '' } = hiddenFields((await browser.get('/o/applications/register/')).html);
  return expectPage(browser.post(path, { csrf_token, ...fields }));
}

/** Creates an invitation link, and returns its secret. */
async function invite(owner: BrowserSession, path: string, member_role: 'owner' | 'test-user'): Promise<string> {
  const { location } = await send(owner, `${path}people/invite/`, { member_role });
  const invitationPage = await expectPage(owner.get(location ?? ''));
  return new URL(elementText(invitationPage, 'invitation')).searchParams.get('invitation') ?? '';
}

const accept = (browser: BrowserSession, invitation: string): Promise<Page> =>
  send(browser, '/o/invitations/', { invitation });

function findUserId(running: RunningService, { username }: TestUser) {
  const account = running.service().projections.users.findByName(username);
  return account?.userId ?? fail(`there is no user ${username}`);
}

function fail(message: string): never {
  throw new Error(message);
}
