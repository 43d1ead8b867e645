import { expect } from 'chai';
import fc from 'fast-check';
import type { ListRules, Selection } from '../../src/lists/list.ts';
import { matchingItems, selectAll, selectPage, type ListPage, type Place } from '../../src/lists/select.ts';
import { foldText, toSortKey } from '../../src/lists/folded-text.ts';

interface Item {
  readonly id: number;
  readonly name: string;
  readonly at: number | null;
  readonly isOn: boolean;
}

const RULES: ListRules<Item> = {
  id: ({ id }) => id,
  texts: ({ name, id }) => [name, String(id)],
  filters: [
    {
      name: 'status',
      title: 'Status',
      choices: [
        { value: 'on', title: 'On', matches: ({ isOn }) => isOn },
        { value: 'off', title: 'Off', matches: ({ isOn }) => !isOn },
      ],
    },
  ],
  columns: [
    { name: 'name', kind: 'text', value: ({ name }) => name },
    { name: 'at', kind: 'time', value: ({ at }) => at },
  ],
  sort: { by: 'name', direction: 'ascending' },
};

const PER_PAGE = 3;

const arbitraryName = fc.string({ unit: fc.constantFrom('a', 'B', 'ä', '1', '2', ' '), maxLength: 4 });
const arbitraryItems = fc
  .array(fc.record({ name: arbitraryName, at: fc.option(fc.nat(5)), isOn: fc.boolean() }), { maxLength: 30 })
  .map((items): readonly Item[] => items.map((item, id) => ({ ...item, id })));
const arbitrarySelection: fc.Arbitrary<Selection> = fc.record({
  query: fc.constantFrom('', '', 'a', 'Ä', '1', 'b 2'),
  filterValues: fc.constantFrom<Selection['filterValues'][]>(
    {},
    { status: 'on' },
    { status: 'off' },
    { status: 'other' },
  ),
  sort: fc.record({
    by: fc.constantFrom('name', 'at'),
    direction: fc.constantFrom('ascending', 'descending'),
  }),
});

const selectTestPage = (items: readonly Item[], selection: Selection, place: Place): ListPage<Item> =>
  selectPage(RULES, items, selection, place, PER_PAGE);

/** A simple reference implementation of the selection. */
function selectExpected(items: readonly Item[], { query, filterValues, sort }: Selection): readonly Item[] {
  const key = ({ name, at }: Item): number | string => (sort.by === 'name' ? toSortKey(name) : (at ?? -1));
  const ascendingItems = items
    .filter(({ name, id }) => foldText(name).includes(foldText(query)) || String(id).includes(foldText(query)))
    .filter(
      ({ isOn }) =>
        filterValues['status'] === undefined || ['other', isOn ? 'on' : 'off'].includes(filterValues['status']),
    )
    .toSorted((a, b) => (key(a) === key(b) ? a.id - b.id : key(a) < key(b) ? -1 : 1));
  return sort.direction === 'ascending' ? ascendingItems : ascendingItems.toReversed();
}

/** Returns the page at `first` and all pages after it in the given direction. Each page sees the current items. */
function listPages(
  first: Place,
  direction: 'next' | 'previous',
  itemsNow: () => readonly Item[],
  selection: Selection,
): readonly ListPage<Item>[] {
  const pages: ListPage<Item>[] = [];
  for (let place: Place | null = first; place !== null; place = pages.at(-1)?.[direction] ?? null)
    pages.push(selectTestPage(itemsNow(), selection, place));
  return pages;
}

describe('the pages of a list', () => {
  it('together contain exactly the filtered list, in order', () => {
    fc.assert(
      fc.property(arbitraryItems, arbitrarySelection, (items, selection) => {
        const expectedItems = selectExpected(items, selection);
        const pages = listPages({ page: 1 }, 'next', () => items, selection);
        expect(pages.flatMap((listPage) => listPage.items)).to.deep.equal(expectedItems);
        for (const { items: pageItems, offset, matchCount } of pages) {
          expect(matchCount).to.equal(expectedItems.length);
          expect(pageItems).to.deep.equal(expectedItems.slice(offset, offset + PER_PAGE));
        }
        for (const [index, { items: pageItems }] of pages.entries()) {
          expect(selectTestPage(items, selection, { page: index + 1 }).items).to.deep.equal(pageItems);
          if (index < pages.length - 1) expect(pageItems).to.have.length(PER_PAGE);
        }
      }),
    );
  });

  it('lead back to the first page', () => {
    fc.assert(
      fc.property(arbitraryItems, arbitrarySelection, fc.integer({ min: 1, max: 9 }), (items, selection, number) => {
        const expectedItems = selectExpected(items, selection);
        const startPage = selectTestPage(items, selection, { page: number });
        fc.pre(startPage.items.length > 0);
        const pages = listPages({ page: number }, 'previous', () => items, selection);
        expect(pages.toReversed().flatMap((listPage) => listPage.items)).to.deep.equal(
          expectedItems.slice(0, startPage.offset + startPage.items.length),
        );
        expect(pages.at(-1)?.offset).to.equal(0);
      }),
    );
  });

  it('show each permanent item exactly once, while other items are added and removed', () => {
    fc.assert(
      fc.property(
        arbitraryItems,
        arbitraryItems,
        fc.infiniteStream(fc.nat(3)),
        arbitrarySelection,
        (permanentItems, otherItems, turns, selection) => {
          const temporaryItems = otherItems.map((item) => ({ ...item, id: item.id + 1_000 }));
          const itemsNow = (): readonly Item[] => {
            const turn = turns.next().value as number;
            return [...temporaryItems.filter(({ id }) => id % 4 === turn), ...permanentItems];
          };
          const shownItems = listPages({ page: 1 }, 'next', itemsNow, selection).flatMap((listPage) => listPage.items);
          expect(shownItems.filter(({ id }) => id < 1_000)).to.deep.equal(selectExpected(permanentItems, selection));
        },
      ),
    );
  });

  it('are empty beyond the end, and have no next or previous page', () => {
    const selection = { query: '', filterValues: {}, sort: RULES.sort };
    const items = [{ id: 1, name: 'a', at: null, isOn: true }];
    expect(selectTestPage(items, selection, { page: 900 })).to.deep.include({ items: [], next: null, previous: null });
  });

  it('accept a place whose key has a different type', () => {
    fc.assert(
      fc.property(
        arbitraryItems,
        arbitrarySelection,
        fc.constantFrom('after' as const, 'before' as const),
        fc.oneof(fc.string(), fc.double(), fc.constant(null)),
        fc.oneof(fc.string(), fc.double({ noNaN: true })),
        (items, selection, side, key, id) => {
          const { items: pageItems, offset } = selectTestPage(items, selection, { side, key, id });
          expect(pageItems).to.deep.equal(selectExpected(items, selection).slice(offset, offset + PER_PAGE));
        },
      ),
    );
  });
});

describe('the complete selection of a list', () => {
  it('is the filtered list, in order', () => {
    fc.assert(
      fc.property(arbitraryItems, arbitrarySelection, (items, selection) => {
        expect([...selectAll(RULES, items, selection)]).to.deep.equal(selectExpected(items, selection));
      }),
    );
  });

  it('is in order even if it is sorted in several parts', () => {
    const items = Array.from({ length: 25_001 }, (_, id) => ({
      id,
      name: `${(id * 7_919) % 25_001}`,
      at: 1,
      isOn: true,
    }));
    const sortedItems = [...selectAll(RULES, items, { query: '', filterValues: {}, sort: RULES.sort })];
    expect(sortedItems.map(({ name }) => name)).to.deep.equal(items.map((_, index) => String(index)));
  });
});

describe('a search in a list', () => {
  it('finds every text that contains the query, regardless of case', () => {
    const items = ['Ada', 'ADAM', 'bob'].map((name, id) => ({ id, name, at: null, isOn: true }));
    const find = (query: string) => matchingItems(RULES, items, { query, filterValues: {} }).map(({ name }) => name);
    expect(find('aDa')).to.deep.equal(['Ada', 'ADAM']);
    expect(find('2')).to.deep.equal(['bob']);
    expect(find('nobody')).to.deep.equal([]);
  });
});
