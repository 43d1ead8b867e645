import { expect } from 'chai';
import type { ClientId } from '../../../../src/domain/values.ts';
import { openSessionAs } from '../../../support/audit-pages.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../../../support/running-service.ts';

const PATHS = [
  '/audit/',
  '/audit/?user=ada',
  '/audit/events/1/',
  '/audit/as-of/',
  '/audit/as-of/?position=1',
  '/audit/as-of/export/?position=1',
  '/audit/log/',
  '/audit/log/export/',
  '/audit/log/export/?format=csv',
];
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Returns the table rows of a page without the header row. */
const extractRows = (html: string): readonly string[] => html.match(/<tr role="row"[^>]*>[^]*?<\/tr>/g)?.slice(1) ?? [];

describe('The audit pages', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
  });
  afterEach(() => running.close());

  it('are only for auditors and administrators', async () => {
    const [ordinaryUser, auditor, administrator] = [
      await openSessionAs(running, 'ada'),
      await openSessionAs(running, 'bob', 'auditor'),
      await openSessionAs(running, 'eve', 'administrator'),
    ];
    for (const path of PATHS) {
      const visitorPage = await running.browser().get(path);
      expect(visitorPage.status, path).to.equal(302);
      expect(visitorPage.location, path).to.equal(`/accounts/login/?${new URLSearchParams({ next: path }).toString()}`);
      const refusal = await ordinaryUser.get(path);
      expect(refusal.status, path).to.equal(403);
      expect(refusal.html, path).not.to.match(/\bbob\b|\beve\b|UserRegistered|user-[\w-]{43}/);
      for (const browser of [auditor, administrator]) expect((await browser.get(path)).status, path).to.equal(200);
    }
    expect((await ordinaryUser.get('/')).html).not.to.include('/audit/');
    expect((await auditor.get('/')).html).to.include('href="/audit/"');
  });

  it('refuse users as soon as their role is removed', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    const bob = running.service().projections.users.findByName('bob') ?? expect.fail();
    await running.service().accounts.changeRoles(bob, [], OPERATOR);
    for (const path of PATHS) expect((await browser.get(path)).status, path).to.equal(403);
  });

  it('append no event, and sign a checkpoint only to cover a viewed event', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    await browser.get('/audit/log/');
    const { checkpoints } = running.service().inspection;
    const head = running.log.head();
    await browser.get(`/audit/events/${head}/`);
    const count = checkpoints.count();
    for (const path of PATHS) await browser.get(path);
    expect(running.log.head()).to.equal(head);
    await running.addUser();
    for (const path of PATHS) await browser.get(path);
    expect(checkpoints.count()).to.equal(count);
    for (let time = 0; time < 3; time += 1) await browser.get(`/audit/events/${running.log.head()}/`);
    expect(checkpoints.count()).to.equal(count + 1);
  });

  it('show user-chosen names only as text', async () => {
    const hostileName = '"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\'';
    const browser = await openSessionAs(running, hostileName, 'auditor');
    const client = await running.addClient({ name: hostileName, owner: hostileName });
    await running.token(client, {
      grant_type: 'password',
      username: hostileName,
      password: `${hostileName}'s password`,
    });
    const encodedName = encodeURIComponent(hostileName);
    const paths = [
      '/audit/',
      `/audit/?user=${encodedName}`,
      `/audit/?client=${encodedName}&since=${encodedName}&type=${encodedName}`,
      '/audit/as-of/?position=99',
      `/audit/as-of/?time=${encodedName}&user=${encodedName}&client=${encodedName}&scope=${encodedName}`,
      `/audit/log/?user=${encodedName}x`,
      ...[1, 2, 3, 4, 5, 6].map((position) => `/audit/events/${position}/`),
    ];
    for (const path of paths) {
      const { html, status } = await browser.get(path);
      expect(status, path).to.be.oneOf([200, 422]);
      expect(html, path).not.to.match(/<img src=x|<script>|onerror=alert\(2\)>/);
    }
    expect((await browser.get('/audit/')).html).to.include('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('refuse invalid parameters with a message', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    for (const path of [
      '/audit/?from=x',
      '/audit/?after=-1',
      '/audit/?user=a&user=b',
      `/audit/?client=${'x'.repeat(2_000)}`,
    ])
      expect((await browser.get(path)).status, path).to.equal(400);
    for (const path of [
      '/audit/events/0/',
      '/audit/events/999999/',
      '/audit/events/1x/',
      '/audit/events/999999999999999/',
    ])
      expect((await browser.get(path)).status, path).to.equal(404);
    for (const path of [
      '/audit/?user=nobody',
      '/audit/?type=Nothing',
      '/audit/?since=yesterday',
      '/audit/?client=nobody',
      '/audit/?since=2026-02-02&until=2026-02-01',
      '/audit/as-of/?position=1e9',
      '/audit/as-of/?time=2026-99-01',
      '/audit/as-of/?time=2026-02-30',
      '/audit/as-of/?time=2026-01-01&position=2',
      '/audit/as-of/?position=999',
      '/audit/as-of/?position=1&user=nobody',
      '/audit/as-of/?position=1&client=nope',
      '/audit/as-of/export/?position=1&user=nobody',
      '/audit/as-of/export/?position=999',
      '/audit/as-of/?user=nobody',
      '/audit/as-of/export/',
      '/audit/log/export/?until=x',
      '/audit/log/export/?format=xml',
    ]) {
      expect((await browser.get(path)).status, path).to.equal(422);
    }
    expect((await browser.get('/audit/?user=nobody')).html)
      .to.include('No user has this name')
      .and.not.include('<table');
    expect((await browser.get('/audit/?since=2026-02-02&until=2026-02-02')).html).to.include(
      'id="until-error">This must be after “Recorded from”.<',
    );
  });

  it('find an application by its name, and list the client ids if several applications have it', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    await running.addUser('ada');
    const client = await running.addClient({ name: 'Loom', owner: 'ada' });
    const pages = ['/audit/?', `/audit/as-of/?position=${running.log.head()}&`];
    for (const page of pages) {
      const [pageByName, pageById] = [
        await browser.get(`${page}client=Loom`),
        await browser.get(`${page}client=${client.id}`),
      ];
      expect([pageByName.status, pageById.status]).to.deep.equal([200, 200]);
      expect(extractRows(pageByName.html)).to.deep.equal(extractRows(pageById.html)).and.to.not.deep.equal([]);
      expect(pageByName.html).to.include('<option value="Loom">').and.include('<option value="ada">');
    }
    const secondClient = await running.addClient({ name: 'Loom', owner: 'ada' });
    for (const page of ['/audit/?', '/audit/as-of/?']) {
      const { status, html } = await browser.get(`${page}client=Loom`);
      expect(status).to.equal(422);
      expect(html)
        .to.include('Several applications have this name.')
        .and.include(client.id)
        .and.include(secondClient.id);
    }
  });

  it('find removed applications by client id', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    await running.addUser('ada');
    const client = await running.addClient({ name: 'Loom', owner: 'ada' });
    await running
      .service()
      .registration.remove(client.id as ClientId, { actor: { kind: 'operator' }, requestId: null });
    expect((await browser.get(`/audit/?client=${client.id}`)).status).to.equal(200);
    expect((await browser.get('/audit/?client=Loom')).html).to.include('No application has this name or client id.');
  });

  it('leave out the kinds of past access that a filter does not apply to', async () => {
    await running.addUser('ada');
    const client = await running.addClient({ name: 'Loom', owner: 'ada' });
    const browser = await openSessionAs(running, 'bob', 'auditor');
    const listKinds = async (query: string): Promise<readonly string[]> =>
      [...(await browser.get(`/audit/as-of/?${query}`)).html.matchAll(/id="held-([a-z]+)"/g)].map(
        ([, kind = '']) => kind,
      );
    expect(await listKinds(`client=${client.id}`)).to.deep.equal(['application', 'authorizations', 'token']);
    expect(await listKinds('scope=auditor')).to.deep.equal(['account', 'authorizations', 'token']);
    const allKinds = ['account', 'membership', 'application', 'authorizations', 'token'];
    expect(await listKinds('user=ada')).to.deep.equal(allKinds);
  });

  it('link from a revocation to its user and client, and, for administrators, to the refusal behind it', async () => {
    const [auditor, administrator] = [
      await openSessionAs(running, 'bob', 'auditor'),
      await openSessionAs(running, 'eve', 'administrator'),
    ];
    const ada = await running.addUser('ada');
    const client = await running.addClient({ name: 'Loom', owner: 'ada' });
    const code = await running.authorize(client, ada);
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    await running.token(client, redemption);
    const requestId = (await running.token(client, redemption)).headers.get('x-request-id') ?? '';
    const revocation = (await running.events()).find(({ type }) => type === 'GrantRevoked');
    const path = `/audit/events/${revocation?.position ?? 0}/`;
    const refusal = `<a href="/o/refusals/${requestId}/"><bdi>Why the request was refused</bdi></a>`;
    const page = (await administrator.get(path)).html;
    expect(page)
      .to.include(refusal)
      .and.include('<a href="/audit/?user=ada"><bdi>ada</bdi></a>')
      .and.include(`<a href="/audit/?client=${client.id}"><bdi>Loom</bdi></a>`);
    expect((await auditor.get(path)).html, 'auditors may not see refusals').to.not.include('/o/refusals/');
    const [, events = ''] =
      /href="([^"]+)">Events at that time</.exec((await administrator.get(`/o/refusals/${requestId}/`)).html) ?? [];
    expect((await administrator.get(events.replaceAll('&amp;', '&'))).html).to.include(`href="${path}"`);
  });

  it('keep the events of one request together', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    const ada = await running.addUser('ada');
    const client = await running.addClient({ name: 'Loom', owner: 'ada' });
    const code = await running.authorize(client, ada);
    await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    const events = (await running.events()).toReversed();
    const expected = events.map(
      ({ requestId }, index) => requestId !== null && requestId === events[index - 1]?.requestId,
    );
    const { html } = await browser.get('/audit/');
    const rows = [...html.matchAll(/<tr role="row" class="([a-z_]*)">/g)].map(([, name]) => name === 'events__follow');
    expect(rows).to.deep.equal(expected).and.include(true);
  });

  it('show current access if only filters are given', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    const ada = await running.addUser('ada');
    const client = await running.addClient({ owner: 'ada' });
    await running.token(client, { grant_type: 'password', ...ada });
    const currentPage = await browser.get('/audit/as-of/?user=ada');
    expect(currentPage.html).to.include('the current access is shown').and.include('Access tokens (1)');
    const headPage = await browser.get(`/audit/as-of/?user=ada&position=${running.log.head()}`);
    expect(headPage.html).not.to.include('the current access is shown');
    const downloadExport = async (query: string) => (await browser.get(`/audit/as-of/export/?${query}`)).html;
    expect(await downloadExport('user=ada')).to.equal(await downloadExport(`user=ada&position=${running.log.head()}`));
    running.clock.advance(365 * 24 * 3600);
    expect((await browser.get('/audit/as-of/?user=ada')).status).to.equal(302);
    const laterAuditor = await openSessionAs(running, 'eve', 'auditor');
    expect((await laterAuditor.get('/audit/as-of/?user=ada')).html, 'after the tokens have expired').to.include(
      'Access tokens (0)',
    );
  });

  it('link from past access to its users, applications and groups', async () => {
    const [auditor, administrator] = [
      await openSessionAs(running, 'bob', 'auditor'),
      await openSessionAs(running, 'eve', 'administrator'),
    ];
    await running.addUser('ada');
    const client = await running.addClient({ name: 'Engine', owner: 'ada' });
    const { groupDirectory, projections } = running.service();
    await groupDirectory.create('Staff', OPERATOR);
    const [staff] = projections.groups.all();
    const ada = projections.users.findByName('ada');
    if (staff === undefined || ada === undefined) expect.fail();
    await groupDirectory.changeGroups(ada, { add: [staff], remove: [] }, OPERATOR);
    const path = `/audit/as-of/?position=${running.log.head()}`;
    const { html } = await auditor.get(path);
    expect(html)
      .to.include('<a href="/audit/?user=ada"><bdi>ada</bdi></a>')
      .and.include(`<a href="/audit/?client=${client.id}"><bdi>Engine</bdi></a>`)
      .and.include('<bdi>Staff</bdi>')
      .and.not.include('/admin/');
    expect((await administrator.get(path)).html).to.include(
      `<a href="/admin/groups/${staff.id}/"><bdi>Staff</bdi></a>`,
    );
  });

  it('link from each event to the previous and the next one', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    const head = running.log.head();
    const fetchLinks = async (position: number) =>
      [...(await browser.get(`/audit/events/${position}/`)).html.matchAll(/<a rel="(\w+)" href="([^"]+)"/g)].map(
        ([, rel, href]) => `${rel} ${href}`,
      );
    expect(await fetchLinks(1)).to.deep.equal(['next /audit/events/2/']);
    expect(await fetchLinks(2)).to.include('prev /audit/events/1/');
    expect(await fetchLinks(head)).to.deep.equal([`prev /audit/events/${head - 1}/`]);
  });

  it('reject a position that is not a number or is past the end of the log, and state the last one', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    const head = running.log.head();
    const advice = `Enter the number of an event, from 1 to ${head}.`;
    for (const position of [String(head + 1), 'one', '-1', '1.5']) {
      const { html, status } = await browser.get(`/audit/as-of/?position=${position}`);
      expect(status).to.equal(422);
      expect(html).to.include(`id="position-error">${advice}<`).and.not.include('Access at that time');
      expect((await browser.get(`/audit/as-of/export/?position=${position}`)).html).to.include(advice);
    }
    expect((await browser.get(`/audit/as-of/?position=${head}`)).status).to.equal(200);
  });

  it('show in one row the access that an application has to a user, with the events that granted it', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    const ada = await running.addUser('ada');
    const [engine, loom] = [await running.addClient({ name: 'Engine' }), await running.addClient({ name: 'Loom' })];
    const positions: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      positions.push(running.log.head() + 1);
      await running.token(engine, { grant_type: 'password', ...ada, scope: count % 2 === 0 ? 'read' : 'write' });
    }
    await running.token(loom, { grant_type: 'password', ...ada, scope: 'groups' });
    const { html } = await browser.get(`/audit/as-of/?position=${running.log.head()}`);
    const section = /Authorized applications \(2\)[\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
    const rows = section.match(/<tr role="row">\s*<th role="rowheader"[\s\S]*?<\/tr>/g) ?? [];
    expect(rows).to.have.length(2);
    expect(rows[0])
      .to.include('>ada<')
      .and.include('Engine')
      .and.include('read write')
      .and.include('12 grants')
      .and.include('and 2 more in the export');
    for (const position of positions.slice(0, 10)) expect(rows[0]).to.include(`/audit/events/${position}/`);
    expect(rows[1])
      .to.include('Loom')
      .and.include('groups')
      .and.include(`event ${running.log.head() - 2}`);
    const exportedLines = (await browser.get(`/audit/as-of/export/?position=${running.log.head()}`)).html
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly kind: string });
    expect(
      exportedLines.filter(({ kind }) => kind === 'grant'),
      'one line for each grant',
    ).to.have.length(13);
  });

  it('label an erased user as erased', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    const ada = await running.addUser('ada');
    const client = await running.addClient({ owner: 'ada' });
    await running.token(client, { grant_type: 'password', ...ada });
    const position = running.log.head();
    expect((await browser.get('/audit/')).html).to.include('>ada<');
    const account = running.service().projections.users.findByName('ada') ?? expect.fail();
    await running.service().accounts.erase(account, OPERATOR);
    for (const path of ['/audit/', `/audit/events/${position}/`, `/audit/as-of/?position=${position}`]) {
      expect((await browser.get(path)).html, path)
        .to.include('erased user')
        .and.not.include('>ada<');
    }
  });

  it('respond to concurrent requests for past states only with 200 or 503, and serve the next request', async () => {
    const browser = await openSessionAs(running, 'bob', 'auditor');
    const pages = await Promise.all(Array.from({ length: 8 }, () => browser.get('/audit/as-of/?position=1')));
    expect(pages.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).to.deep.equal([]);
    expect(pages.filter(({ status }) => status === 200)).to.have.length.above(0);
    expect((await browser.get('/audit/as-of/?position=1')).status).to.equal(200);
  });
});
