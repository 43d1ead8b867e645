import { expect } from 'chai';
import fc from 'fast-check';
import { operate } from '../../src/operations/operations.ts';
import { encodeEvent, EVENT_TYPES } from '../../src/domain/events.ts';
import type { ClientId, GroupId } from '../../src/domain/values.ts';
import { toCsvRow } from '../../src/cli/exported-event.ts';
import { EVENT_CSV_HEADER } from '../../src/audit/queries/exported-event.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { linkTo, openSessionAs, positionsOn, followPages } from '../support/audit-pages.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The audit pages', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let clients: readonly TestClient[];

  /** Issues and refreshes grants of two users to two applications over some hours, and revokes some of them. */
  beforeEach(async () => {
    running = await runningService();
    browser = await openSessionAs(running, 'auditor', 'auditor');
    const users = [await running.addUser('ada'), await running.addUser('bob')];
    clients = [await running.addClient({ owner: 'ada' }), await running.addClient()];
    for (let round = 0; round < 6; round += 1) {
      for (const client of clients) {
        for (const user of users) await issueRefreshAndRevoke(client, user, round);
        await running.token(client, { grant_type: 'client_credentials' });
        if (round === 0) await running.service().registration.rotateSecret(client.id as ClientId, OPERATOR, 86_400);
      }
      running.clock.advance(3_600);
    }
  });
  afterEach(() => running.close());

  async function issueRefreshAndRevoke(
    client: TestClient,
    user: { username: string; password: string },
    round: number,
  ): Promise<void> {
    const { json: tokens } = await running.token(client, { grant_type: 'password', ...user });
    const { json: refreshedTokens } = await running.token(client, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens?.['refresh_token']),
    });
    if (round === 0)
      await running.post(
        '/o/revoke_token/',
        { token: String(refreshedTokens?.['access_token']) },
        { authorization: client.basic },
      );
    if (round === 1)
      await running
        .service()
        .grantCommands.execute(
          (await running.events()).findLast(({ type }) => type === 'ConsentGiven')?.stream ?? '',
          { type: 'RevokeGrant', reason: 'revoked-by-operator' },
          OPERATOR,
        );
  }

  interface ExportFilter {
    readonly types?: readonly string[] | undefined;
    readonly user?: string | undefined;
    readonly client?: string | undefined;
    readonly since?: number | undefined;
    readonly until?: number | undefined;
  }

  function queryOf({ types = [], user, client, since, until }: ExportFilter): URLSearchParams {
    const query = new URLSearchParams(types.map((type): [string, string] => ['type', type]));
    for (const [name, value] of Object.entries({ user, client })) if (value !== undefined) query.set(name, value);
    for (const [name, value] of Object.entries({ since, until }))
      if (value !== undefined) query.set(name, new Date(value).toISOString());
    return query;
  }

  async function exportLines(filter: ExportFilter): Promise<readonly string[]> {
    const lines: string[] = [];
    for await (const line of operate(running.service())('log export', filter, new AbortController().signal))
      lines.push(String(line));
    return lines;
  }

  const positionsIn = (lines: readonly string[]): readonly number[] =>
    lines.map((line) => Number(/^\{"position":(\d+)/.exec(line)?.[1]));

  const someTime = fc.integer({ min: -1, max: 8 }).map((halfHours) => Date.UTC(2026, 0, 1) + halfHours * 1_800_000);
  const someFilters = (): fc.Arbitrary<ExportFilter> =>
    fc
      .record(
        {
          types: fc.uniqueArray(fc.constantFrom(...EVENT_TYPES), { minLength: 1, maxLength: 5 }),
          user: fc.constantFrom('ada', 'bob', 'auditor'),
          client: fc.constantFrom(...clients.map(({ id }) => id)),
          since: someTime,
          until: someTime,
        },
        { requiredKeys: [] },
      )
      .filter(({ since = -Infinity, until = Infinity }) => since < until);

  it('list the exported events, newest first along "next" links and oldest first along "prev" links', async () => {
    await fc.assert(
      fc.asyncProperty(someFilters(), async (filter) => {
        const expected = positionsIn(await exportLines(filter));
        const query = queryOf(filter);
        expect(await followPages(browser, `/audit/?${query.toString()}`, 'next')).to.deep.equal(expected.toReversed());
        query.set('after', '0');
        expect(await followPages(browser, `/audit/?${query.toString()}`, 'prev')).to.deep.equal(expected);
      }),
      { numRuns: 25, seed: 7 },
    );
  });

  it('offer the same export as the command, as JSON lines and as CSV', async () => {
    await fc.assert(
      fc.asyncProperty(someFilters(), async (filter) => {
        const expected = await exportLines(filter);
        const query = queryOf(filter).toString();
        const lines = await browser.get(`/audit/log/export/?${query}`);
        expect(lines.html).to.equal(expected.map((line) => `${line}\n`).join(''));
        expect(lines.headers.get('content-disposition')).to.equal('attachment; filename="grantlog-events.jsonl"');
        const csv = await browser.get(`/audit/log/export/?format=csv&${query}`);
        expect(csv.html).to.equal(EVENT_CSV_HEADER + expected.map(toCsvRow).join(''));
        expect(csv.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
        for (const { headers } of [lines, csv]) expect(headers.get('cache-control')).to.equal('no-store');
      }),
      { numRuns: 10, seed: 8 },
    );
  });

  it('list events without gaps or duplicates while new events are appended', async () => {
    const expectedPositions = positionsIn(await exportLines({})).toReversed();
    expect(expectedPositions).to.have.length.above(100);
    expect(await followPages(browser, '/audit/', 'next', () => running.addUser())).to.deep.equal(expectedPositions);
    const firstPage = await browser.get('/audit/');
    await running.addUser();
    const newerPagePath =
      linkTo('prev', await browser.get(linkTo('next', firstPage) ?? expect.fail())) ?? expect.fail();
    expect(positionsOn(await browser.get(newerPagePath))).to.deep.equal(positionsOn(firstPage));
    expect(linkTo('prev', await browser.get(newerPagePath))).to.equal(`/audit/?after=${positionsOn(firstPage)[0]}`);
  });

  it('keep the filter in the form and in the link to the export', async () => {
    const page = await browser.get('/audit/?user=ada&type=AccessTokenIssued&type=RefreshTokenIssued&since=2026-01-01');
    expect(page.html)
      .to.include('value="ada"')
      .and.include('<option value="AccessTokenIssued" selected>')
      .and.include('<input type="hidden" name="type" value="RefreshTokenIssued">');
    expect(page.html).to.include(
      'href="/audit/log/export/?type=AccessTokenIssued&amp;type=RefreshTokenIssued&amp;user=ada' +
        '&amp;since=2026-01-01&amp;format=csv"',
    );
  });

  it('search up to a limit in one request, and continue in the next', async () => {
    let groupCount = 0;
    for (let batch = 0; batch < 5; batch += 1) {
      const events = Array.from({ length: 9_000 }, () => ({
        ...encodeEvent({
          type: 'GroupCreated',
          data: { groupId: String((groupCount += 1)).padStart(22, '0') as GroupId, name: `group ${groupCount}` },
        }),
        recordedAt: 0,
        ...OPERATOR,
      }));
      await running.log.append(`group-${batch}`, 'no-stream', events);
    }
    const filter = { user: 'ada', types: ['UserRegistered'] };
    const query = queryOf(filter);
    const firstPage = await browser.get(`/audit/?${query.toString()}`);
    expect(positionsOn(firstPage)).to.deep.equal([]);
    expect(firstPage.html).to.include('Search paused').and.include('Continue searching');
    const expected = positionsIn(await exportLines(filter));
    expect(await followPages(browser, `/audit/?${query.toString()}`, 'next')).to.deep.equal(expected);
    query.set('after', '0');
    expect(await followPages(browser, `/audit/?${query.toString()}`, 'prev')).to.deep.equal(expected);
  });

  it('show the first 100 access tokens that are valid at a position, and count all of them', async () => {
    const [client = expect.fail()] = clients;
    for (let token = 0; token < 120; token += 1) await running.token(client, { grant_type: 'client_credentials' });
    const { html } = await browser.get(`/audit/as-of/?position=${running.log.head()}&client=${client.id}`);
    const [, count = ''] = /Access tokens \((\d+)\)/.exec(html) ?? [];
    expect(Number(count)).to.be.within(120, 200);
    expect(html).to.include(`Showing the first 100 of ${count}.`);
    expect(html.slice(html.indexOf('Access tokens (')).match(/>event \d+</g)).to.have.length(100);
  });

  it('list the access at a position or time, as the command does', async () => {
    for (const [query, filter] of [
      ['position=20', { position: 20 }],
      ['time=2026-01-01T01:30', { time: Date.UTC(2026, 0, 1, 1, 30) }],
      ['time=2026-01-01T01:30&user=ada', { time: Date.UTC(2026, 0, 1, 1, 30), user: 'ada' }],
      ['position=40&scope=write', { position: 40, scope: 'write' }],
      [`position=40&client=${clients[1]?.id ?? ''}`, { position: 40, client: clients[1]?.id }],
      ['time=2025-01-01', { time: Date.UTC(2025, 0, 1) }],
    ] as const) {
      const items: { readonly position?: number }[] = [];
      for await (const item of operate(running.service())('log as-of', filter, new AbortController().signal))
        items.push(item as { position?: number });
      const entries = items.slice(1);
      const page = await browser.get(`/audit/as-of/?${query}`);
      const tables = page.html.slice(page.html.indexOf('<table'));
      const positions = [...tables.matchAll(/<a href="\/audit\/events\/(\d+)\/">event/g)].map(([, position]) =>
        Number(position),
      );
      expect(positions, query).to.deep.equal(entries.map(({ position }) => position));
      expect((await browser.get(`/audit/as-of/export/?${query}`)).html, query).to.equal(
        entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
      );
      expect((await browser.get(`/audit/as-of/export/?format=csv&${query}`)).html.split('\r\n'), query).to.have.length(
        entries.length + 2,
      );
    }
  });
});
