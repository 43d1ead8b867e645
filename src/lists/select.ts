import { foldText, toSortKey } from './folded-text.ts';
import type { Column, ListRules, Selection, Sort, Value } from './list.ts';
import { sortedWindow, type Compare } from './window.ts';

/**
 * A place between two items: after or before the item with this key and id, even if that item has been removed. Items
 * that are added or removed between two requests therefore do not cause other items to be skipped or repeated.
 */
export interface Cursor {
  readonly side: 'after' | 'before';
  readonly key: Value;
  readonly id: string | number;
}

/** A page number, counted from 1, or a cursor. */
export type Place = { readonly page: number } | Cursor;

/** One page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The number of items before this page. */
  readonly offset: number;
  /** The number of items in the whole selection. */
  readonly matchCount: number;
  /** The places before the first and after the last item of this page; null if the list has no items there. */
  readonly previous: Cursor | null;
  readonly next: Cursor | null;
}

/** Returns the items that match the search and the filters, in no particular order. */
export function matchingItems<Item>(
  { texts, filters }: Pick<ListRules<Item>, 'texts' | 'filters'>,
  items: Iterable<Item>,
  { query, filterValues }: Omit<Selection, 'sort'>,
): readonly Item[] {
  const term = foldText(query);
  const choices = filters.flatMap(({ name, choices: filterChoices }) =>
    filterChoices.filter(({ value }) => value === filterValues[name]),
  );
  const results: Item[] = [];
  for (const item of items) {
    if (choices.some(({ matches }) => !matches(item))) continue;
    if (term === '' || texts(item).some((text) => foldText(text).includes(term))) results.push(item);
  }
  return results;
}

/** Returns one page of the selection. */
export function selectPage<Item>(
  rules: ListRules<Item>,
  items: Iterable<Item>,
  selection: Selection,
  place: Place,
  itemsPerPage: number,
): ListPage<Item> {
  const entries = toEntries(rules, matchingItems(rules, items, selection), selection.sort);
  const compare = comparatorFor(selection.sort);
  const offset = pageOffset(place, entries, compare, itemsPerPage);
  const window = sortedWindow(entries, offset, offset + itemsPerPage, compare);
  const [first, last] = [window[0], window.at(-1)];
  const hasNext = offset + window.length < entries.length;
  return {
    items: window.map(({ item }) => item),
    offset,
    matchCount: entries.length,
    previous: first === undefined || offset === 0 ? null : { side: 'before', key: first.key, id: first.id },
    next: last === undefined || !hasNext ? null : { side: 'after', key: last.key, id: last.id },
  };
}

/** A long list is sorted in parts, as needed. Sorting one part takes about as long as sorting one page. */
const MIN_PART_SIZE = 10_000;
const MAX_PARTS = 8;

/** Yields the whole selection, in order. */
export function* selectAll<Item>(
  rules: ListRules<Item>,
  items: Iterable<Item>,
  selection: Selection,
): Generator<Item, void, void> {
  const entries = toEntries(rules, matchingItems(rules, items, selection), selection.sort);
  const size = Math.max(MIN_PART_SIZE, Math.ceil(entries.length / MAX_PARTS));
  for (let remainingEntries = entries; remainingEntries.length > 0; remainingEntries = remainingEntries.slice(size))
    for (const { item } of sortedWindow(remainingEntries, 0, size, comparatorFor(selection.sort))) yield item;
}

interface SortKey {
  readonly key: Value;
  readonly id: string | number;
}

interface Entry<Item> extends SortKey {
  readonly item: Item;
}

/** Returns the items with their sort keys, which are computed only once per item. */
function toEntries<Item>({ id, columns }: ListRules<Item>, items: readonly Item[], { by }: Sort): Entry<Item>[] {
  const column = columns.find(({ name }) => name === by);
  return items.map((item) => ({ item, id: id(item), key: column === undefined ? null : sortValue(column, item) }));
}

function sortValue<Item>({ kind, value }: Column<Item>, item: Item): Value {
  const content = value(item);
  return kind === 'text' && typeof content === 'string' ? toSortKey(content) : content;
}

function comparatorFor({ direction }: Sort): Compare<SortKey> {
  const sign = direction === 'ascending' ? 1 : -1;
  return (a, b) => sign * (compareValues(a.key, b.key) || compareValues(a.id, b.id));
}

/** Also orders values of different types, because the user can edit the cursor in the URL. */
function compareValues(left: Value, right: Value): number {
  if (left === right) return 0;
  if (typeof left !== typeof right) return typeRank(left) - typeRank(right);
  return (left as string | number) < (right as string | number) ? -1 : 1;
}

function typeRank(value: Value): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2;
}

function pageOffset(
  place: Place,
  entries: readonly SortKey[],
  compare: Compare<SortKey>,
  itemsPerPage: number,
): number {
  if ('page' in place) return (place.page - 1) * itemsPerPage;
  const isAfter = place.side === 'after';
  let precedingCount = 0;
  for (const entry of entries) {
    const order = compare(entry, place);
    if (order < 0 || (isAfter && order === 0)) precedingCount += 1;
  }
  return isAfter ? precedingCount : Math.max(0, precedingCount - itemsPerPage);
}
