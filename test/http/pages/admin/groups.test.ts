import { expect } from 'chai';
import type { Role } from '../../../../src/domain/events.ts';
import { openSession } from '../../../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession, type Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('the group pages', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    browser = await openSession(running, await addUser('root', ['administrator']));
    await addUser('ada', []);
  });
  afterEach(() => running.close());

  async function addUser(username: string, roles: readonly Role[]) {
    const user = { username, password: `the password of ${username}` };
    await running.service().accounts.register({ ...user, email: `${username}@example.org`, roles }, OPERATOR);
    return user;
  }

  async function send(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { csrf_token = '' } = hiddenFields((await browser.get('/admin/groups/add/')).html);
    return browser.post(path, { csrf_token, ...fields });
  }

  const groupNamesOf = (username: string) => {
    const { users, groups } = running.service().projections;
    const user = users.findByName(username);
    return user === undefined ? [] : groups.namesOf(user.userId);
  };

  it('create a group, add users found by a search, and remove them', async () => {
    expect((await send('/admin/groups/add/', { group_name: ' Staff ' })).location).to.equal('/admin/groups/1/');
    const searchPage = await browser.get('/admin/groups/1/add/?q=ada@');
    expect(searchPage.html).to.include('Add ada to the group').and.not.include('Add root to the group');
    expect((await send('/admin/groups/1/members/2/add/')).location).to.equal('/admin/groups/1/');
    expect(groupNamesOf('ada')).to.deep.equal(['Staff']);
    expect((await browser.get('/admin/groups/1/')).html)
      .to.include('ada was added to the group Staff.')
      .and.include('1 member');
    expect((await browser.get('/admin/groups/1/add/')).html).to.include('is a member');
    await send('/admin/groups/1/members/2/remove/');
    expect(groupNamesOf('ada')).to.deep.equal([]);
    const changes = (await running.events()).filter(({ type }) => type.startsWith('Group'));
    expect(changes.map(({ type, actor }) => [type, actor.kind])).to.deep.equal([
      ['GroupCreated', 'user'],
      ['GroupMemberAdded', 'user'],
      ['GroupMemberRemoved', 'user'],
    ]);
  });

  it('give a group a title, and refuse an outdated form', async () => {
    await send('/admin/groups/add/', { group_name: 'staff' });
    const submitTitle = (group_title: string, page: Page) =>
      browser.submit(page, { group_title }, '/admin/groups/1/title/');
    const outdatedForm = await browser.get('/admin/groups/1/title/');
    expect((await submitTitle('x\u0007', outdatedForm)).status).to.equal(422);
    expect((await submitTitle('Everybody here', outdatedForm)).location).to.equal('/admin/groups/1/');
    expect((await browser.get('/admin/groups/?q=everybody')).html).to.include('staff');
    expect((await submitTitle('Nobody', outdatedForm)).status).to.equal(409);
    expect((await submitTitle('', await browser.get('/admin/groups/1/title/'))).status).to.equal(302);
    expect(running.service().projections.groups.findByName('staff')).to.include({ name: 'staff', title: null });
  });

  it('add several users together, and return to the same view of the list', async () => {
    for (const username of ['bob', 'cleo', 'dan']) await addUser(username, []);
    await send('/admin/groups/add/', { group_name: 'staff' });
    const path = '/admin/groups/1/add/?sort=-username&status=other';
    const page = await browser.get(path);
    expect(page.html).to.include(`action="${path.replace('&', '&amp;')}"`);
    const answer = await browser.submit(page, { new_member: ['1', '2', '4'] }, path);
    expect(answer.location).to.equal(path);
    const listPage = await browser.get(path);
    expect(listPage.html).to.include('3 users were added to the group staff.').and.include('Add bob to the group');
    expect(listPage.html).not.to.include('Add cleo to the group');
    expect(['root', 'ada', 'bob', 'cleo', 'dan'].filter((name) => groupNamesOf(name).length > 0)).to.deep.equal([
      'root',
      'ada',
      'cleo',
    ]);
    const additions = (await running.events()).filter(({ type }) => type === 'GroupMemberAdded');
    expect(additions.map(({ actor }) => actor.kind)).to.deep.equal(['user', 'user', 'user']);
  });

  it('show the name of the user if only one was selected, and ask for a selection if none was', async () => {
    await send('/admin/groups/add/', { group_name: 'staff' });
    const path = '/admin/groups/1/add/';
    expect((await browser.submitAndFollow(await browser.get(path), { new_member: '2' })).html).to.include(
      'ada was added to the group staff.',
    );
    expect((await browser.submitAndFollow(await browser.get(path), {})).html).to.include('select at least one user');
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', 'the password of root');
    const page = await german.get(path);
    expect(page.html).to.include('Ausgewählte Benutzer hinzufügen');
    expect((await german.submitAndFollow(page, { new_member: ['1', '2'] })).html).to.include(
      '2 Benutzer wurden in die Gruppe „staff“ aufgenommen.',
    );
  });

  it('add the other selected users if one is in too many groups, and report that user', async () => {
    for (let number = 1; number <= 28; number += 1)
      await send('/admin/groups/add/', { group_name: `${number}`.padEnd(150, 'x') });
    for (let number = 1; number <= 27; number += 1) await send(`/admin/users/2/groups/${number}/add/`);
    const page = await browser.get('/admin/groups/28/add/');
    const { html } = await browser.submitAndFollow(page, { new_member: ['1', '2'] });
    expect(html)
      .to.include('1 user was added to the group 28')
      .and.match(/Not added: .?ada/u);
    expect(groupNamesOf('root')).to.have.length(1);
  });

  it('change the groups of a user, and show them on the pages of the user', async () => {
    await send('/admin/groups/add/', { group_name: 'staff' });
    expect((await send('/admin/users/2/groups/1/add/')).location).to.equal('/admin/users/2/groups/');
    expect((await browser.get('/admin/users/2/')).html).to.include('<a href="/admin/groups/1/"><bdi>staff</bdi></a>');
    const ada = await openSession(running, { username: 'ada', password: 'the password of ada' });
    expect((await ada.get('/accounts/')).html).to.include('<li><bdi>staff</bdi></li>');
    await send('/admin/users/2/groups/1/remove/');
    expect((await ada.get('/accounts/')).html).to.include('You are not in any group.');
  });

  it('state how many members a group has before it is removed', async () => {
    await send('/admin/groups/add/', { group_name: 'staff' });
    expect((await browser.get('/admin/groups/1/remove/')).html).to.include('It has no members.');
    await send('/admin/groups/1/members/1/add/');
    await send('/admin/groups/1/members/2/add/');
    expect((await browser.get('/admin/groups/1/remove/')).html).to.include('Its 2 members will be removed from it.');
    expect((await send('/admin/groups/1/remove/')).location).to.equal('/admin/groups/');
    expect(groupNamesOf('ada')).to.deep.equal([]);
    expect((await browser.get('/admin/groups/1/')).status).to.equal(404);
  });

  it('refuse a name that is already taken or empty, and keep the input in the form', async () => {
    await send('/admin/groups/add/', { group_name: 'staff' });
    const refusal = await send('/admin/groups/add/', { group_name: 'staff' });
    expect(refusal.status).to.equal(422);
    expect(refusal.html).to.include('A group named staff already exists.').and.include('value="staff"');
    expect((await send('/admin/groups/add/', { group_name: '' })).status).to.equal(422);
  });

  it('refuse a name that differs from an existing name only in case', async () => {
    await send('/admin/groups/add/', { group_name: 'Staff' });
    for (const group_name of ['staff', 'STAFF']) {
      const refusal = await send('/admin/groups/add/', { group_name });
      expect([refusal.status, refusal.html.includes('A group named Staff already exists.')]).to.deep.equal([422, true]);
    }
    await send('/admin/groups/1/remove/');
    expect((await send('/admin/groups/add/', { group_name: 'staff' })).status).to.equal(302);
  });

  it('say why nothing was changed if the group names would not fit in tokens', async () => {
    for (let number = 1; number <= 28; number += 1)
      await send('/admin/groups/add/', { group_name: `${number}`.padEnd(150, 'x') });
    for (let number = 1; number <= 28; number += 1) await send(`/admin/users/2/groups/${number}/add/`);
    expect((await browser.get('/admin/users/2/groups/')).html).to.include('can be at most 4,096 bytes');
    expect(groupNamesOf('ada')).to.have.lengthOf(26);
  });

  it('are available only to administrators', async () => {
    const ada = await openSession(running, { username: 'ada', password: 'the password of ada' });
    for (const path of ['/admin/groups/', '/admin/groups/add/', '/admin/users/1/groups/'])
      expect((await ada.get(path)).status, path).to.equal(403);
  });
});
