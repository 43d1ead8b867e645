import { expect } from 'chai';
import { readCsv, restoreCell } from '../../../support/csv.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { createScene, type Scene } from '../../../support/scene.ts';

/** The name of each list, the user who opens it, and its path. */
const LISTS: readonly (readonly [string, 'administrator' | 'member', (scene: Scene) => string])[] = [
  ['users', 'administrator', () => '/admin/users/'],
  ['groups', 'administrator', () => '/admin/groups/'],
  ['members of a group', 'administrator', () => '/admin/groups/1/'],
  ['users to add to a group', 'administrator', () => '/admin/groups/1/add/'],
  ["a user's groups", 'administrator', (scene) => `${userPath(scene)}groups/`],
  ["a user's sessions", 'administrator', (scene) => `${userPath(scene)}sessions/`],
  ["a user's applications", 'administrator', (scene) => `${userPath(scene)}applications/`],
  ['applications that a user authorized', 'administrator', (scene) => `${userPath(scene)}authorizations/`],
  ['applications', 'administrator', () => '/admin/applications/'],
  ['domains', 'administrator', () => '/admin/domains/'],
  ['exchange policies', 'administrator', () => '/admin/exchange-policies/'],
  ['trusted issuers', 'administrator', () => '/admin/trusted-issuers/'],
  ['providers', 'administrator', () => '/admin/providers/'],
  ['refusals', 'administrator', () => '/admin/refusals/'],
  ['resource servers', 'administrator', () => '/o/resources/'],
  ['own applications', 'member', () => '/o/applications/'],
  ['authorized applications', 'member', () => '/o/authorized_tokens/'],
];

function userPath({ running, texts }: Scene): string {
  const user = running.service().projections.users.findByName(texts.member);
  return `/admin/users/${user?.id ?? expect.fail('the member is missing')}/`;
}

const unescapeHtml = (text: string): string => text.replaceAll('&amp;', '&');
const extractSortOrders = ({ html }: Page): readonly string[] => {
  const [, options = ''] = /<select id="sort"[^>]*>([^]*?)<\/select>/.exec(html) ?? [];
  return [...options.matchAll(/value="([^"]+)"/g)].map(([, value = '']) => value);
};
const extractFilters = ({ html }: Page): readonly string[] =>
  [...html.matchAll(/<select id="filter-\w+" name="(\w+)">([^]*?)<\/select>/g)].flatMap(([, name = '', options = '']) =>
    [...options.matchAll(/value="([^"]+)"/g)].map(([, value = '']) => `${name}=${value}`),
  );

describe('The list', () => {
  let scene: Scene;
  const sessions = new Map<string, BrowserSession>();
  let sortedListCount = 0;

  before(async () => {
    scene = await createScene();
    for (const viewer of ['administrator', 'member'] as const) {
      const session = scene.running.browser();
      const { username, password } = scene.users[viewer];
      expect((await session.logIn(username, password)).status).to.equal(302);
      sessions.set(viewer, session);
    }
  });
  after(async () => {
    await scene.close();
    expect(sortedListCount, 'there were lists to sort').to.be.above(5);
  });

  for (const [name, viewer, pathIn] of LISTS) {
    describe(`of ${name}`, () => {
      const get = (query = ''): Promise<Page> =>
        (sessions.get(viewer) ?? expect.fail()).get(`${pathIn(scene)}${query === '' ? '' : `?${query}`}`);
      const downloadRows = async (query = ''): Promise<readonly string[]> => {
        const response = await get(query === '' ? 'format=csv' : `format=csv&${query}`);
        expect(response.headers.get('content-disposition')).to.match(/^attachment; filename="grantlog-[a-z-]+\.csv"$/);
        const [columnNames = [], ...rows] = readCsv(response.html);
        expect(new Set(columnNames).size).to.equal(columnNames.length);
        for (const row of rows) expect(row).to.have.length(columnNames.length);
        return rows.map((row) => JSON.stringify(row.map(restoreCell)));
      };
      const extractCounts = ({ html }: Page): readonly (number | undefined)[] => {
        const [, rowCount, , matchCount] =
          /list-summary"><span>([\d,]+) [a-z ]+(, ([\d,]+|no) match(?:es)?)?/.exec(html) ??
          expect.fail('there is no total');
        return [rowCount, matchCount].map((text) =>
          text === undefined ? undefined : text === 'no' ? 0 : Number(text.replaceAll(',', '')),
        );
      };

      it('has as many rows in its CSV file as its total states', async () => {
        const page = await get();
        expect(page.status).to.equal(200);
        const allRows = await downloadRows();
        if (allRows.length === 0) expect(page.html).to.include('empty__title');
        else expect(extractCounts(page)[0]).to.equal(allRows.length);
      });

      it('has the same rows in every order, and reverses them in the opposite order', async () => {
        const [allRows, orders] = [await downloadRows(), extractSortOrders(await get())];
        expect(orders.length % 2).to.equal(0);
        for (const order of orders) {
          const page = await get(`sort=${order}`);
          expect([page.status, page.html.includes(`value="${order}" selected`)]).to.deep.equal([200, true]);
          expect(await downloadRows(`sort=${order}`)).to.have.members([...allRows]);
        }
        for (const order of orders.filter((candidate) => !candidate.startsWith('-')))
          expect(await downloadRows(`sort=-${order}`)).to.deep.equal(
            [...(await downloadRows(`sort=${order}`))].toReversed(),
          );
        if (orders.length > 0) sortedListCount += 1;
      });

      it('states how many rows each filter leaves', async () => {
        const allRows = await downloadRows();
        for (const filter of extractFilters(await get())) {
          const matches = await downloadRows(filter);
          for (const row of matches) expect(allRows).to.include(row);
          expect(extractCounts(await get(filter)), filter).to.deep.equal([allRows.length, matches.length]);
        }
      });

      it('offers to show all rows when none matches, and links back from a page beyond the end', async () => {
        if ((await downloadRows()).length === 0) return;
        const emptyPage = await get('q=nothing%20has%20this%20text');
        expect(emptyPage.html).to.include('Show all').and.include(', no matches');
        expect(await downloadRows('q=nothing%20has%20this%20text')).to.deep.equal([]);
        const pageBeyondEnd = await get('page=900');
        const [, backHref = ''] = /href="([^"]+)" rel="prev"/.exec(pageBeyondEnd.html) ?? [];
        expect(new URL(unescapeHtml(backHref), 'http://localhost').searchParams.get('page')).to.equal('1');
      });

      it('requires a login both as a page and as a CSV file', async () => {
        for (const query of ['', '?format=csv']) {
          const path = `${pathIn(scene)}${query}`;
          expect((await scene.running.browser().get(path)).status, path).to.equal(302);
        }
      });
    });
  }
});
