import { firstDirection, type Direction, type Sort } from '../../../lists/list.ts';
import type { ListPage } from '../../../lists/select.ts';
import { message, type Text } from '../../../language/message.ts';
import type { PageContext } from '../page-context.ts';
import { oppositeDirection, sortName, writeCursor, type ListRequest } from './list-request.ts';
import { EMPTY_CELL, type Cell, type PageColumn, type PageList } from './page-list.ts';
import type { EpochSeconds } from '../../../domain/values.ts';

interface Option {
  readonly value: string;
  readonly title: Text;
}

/** The locals of the list partials. */
export interface ListLocals {
  readonly path: string;
  /** The URL of the whole list. */
  readonly allHref: string;
  /** The URL of the first page of the selection. */
  readonly href: string;
  readonly query: string;
  readonly searchLabel: Text;
  readonly filters: readonly { readonly name: string; readonly title: Text; readonly options: readonly Option[] }[];
  /** The chosen values, keyed by filter name. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly sorts: readonly Option[];
  readonly sort: string;
  /** For example, "157 users, 12 match". */
  readonly summary: Text;
  /** Whether the list has no items, even without search and filters. */
  readonly isEmpty: boolean;
  readonly isNarrowed: boolean;
  /** Whether to show the search, the filters and the sort orders. Fewer than two items do not need them. */
  readonly hasControls: boolean;
  readonly empty: PageList<never>['empty'] & { readonly title: Text };
  readonly columns: readonly {
    readonly title: Text;
    /** The URL of the list sorted by this column; null if it is not sortable, or the list has fewer than two items. */
    readonly href: string | null;
    readonly sorted: Direction | null;
  }[];
  readonly rows: readonly (readonly Cell[])[];
  /** For example, "Users, sorted by user name, A to Z". */
  readonly caption: Text;
  readonly csvHref: string;
  /** For example, "51–100 of 157"; empty if the page shows either all matching items or no items. */
  readonly range: Text;
  readonly links: Readonly<Record<'first' | 'previous' | 'next' | 'last', string | null>>;
}

/** The locals of a page whose only content is a list. */
export interface ListPageLocals extends PageContext {
  readonly list: ListLocals;
}

export const ITEMS_PER_PAGE = 50;

const ORDERS = {
  text: { ascending: 'list.a-to-z', descending: 'list.z-to-a' },
  number: { ascending: 'list.lowest-first', descending: 'list.highest-first' },
  time: { ascending: 'list.oldest-first', descending: 'list.newest-first' },
} as const;

/**
 * Returns the locals of a list, for the requested page of the selection.
 * @param total the number of items before search and filters
 */
export function listLocals<Item>(
  list: PageList<Item>,
  request: ListRequest,
  page: ListPage<Item>,
  { path, total }: { readonly path: string; readonly total: number },
): ListLocals {
  const { query, filterValues, sort } = request;
  const isNarrowed = isNarrowing(request);
  const urlWith = (fields: Readonly<Record<string, string>> = {}, order: Sort = sort): string =>
    selectionUrl(path, list, { ...request, sort: order }, fields);
  const tableColumns = list.columns.filter(({ cell }) => cell !== 'file');
  const sortableColumns = tableColumns.filter(({ isSortable }) => isSortable !== false);
  return {
    path,
    allHref: withQuery(path, wholeListFields(list)),
    href: urlWith(),
    query,
    searchLabel: list.searchLabel,
    filters: list.filters.map(({ name, title, choices }) => ({
      name,
      title,
      options: [
        { value: '', title: message('list.all') },
        ...choices.map((choice) => ({ value: choice.value, title: choice.title })),
      ],
    })),
    chosen: filterValues,
    sorts: sortableColumns.flatMap((column) => bothDirections(column, list)),
    sort: sortName(sort, list),
    summary: formatSummary(list, total, isNarrowed ? page.matchCount : null),
    isEmpty: total === 0,
    isNarrowed,
    hasControls: total > 1 || isNarrowed,
    empty: { ...list.empty, ...emptyMessages(total, page.matchCount, list) },
    columns: tableColumns.map((column) => ({
      title: column.title,
      href: column.isSortable === false || total < 2 ? null : urlWith({}, nextSort(column, sort)),
      sorted: column.name === sort.by ? sort.direction : null,
    })),
    rows: page.items.map((item) => tableColumns.map((column) => toCell(column, item))),
    caption: formatCaption(list, sort),
    csvHref: urlWith({ format: 'csv' }),
    range: formatRange(page),
    links: pageLinks(page, list.itemsPerPage ?? ITEMS_PER_PAGE, urlWith),
  };
}

/**
 * Returns the URL of a selection of the list.
 * @param otherFields other query fields; if they contain no page and no cursor, the URL leads to the first page
 */
export function selectionUrl<Item>(
  path: string,
  list: PageList<Item>,
  request: ListRequest,
  otherFields: Readonly<Record<string, string>> = {},
): string {
  const { query, filterValues, sort } = request;
  const name = sortName(sort, list);
  const fields = {
    ...(isNarrowing(request) ? {} : wholeListFields(list)),
    ...(query !== '' && { q: query }),
    ...filterValues,
    ...otherFields,
  };
  const isDefault = name === sortName(list.sort, list);
  return withQuery(path, isDefault ? fields : { sort: name, ...fields });
}

function isNarrowing({ query, filterValues }: ListRequest): boolean {
  return query !== '' || Object.keys(filterValues).length > 0;
}

/**
 * Returns the query fields that select the whole list. Without any query fields, a list with an initial filter would
 * apply that filter.
 */
function wholeListFields<Item>({ initialFilter }: PageList<Item>): Readonly<Record<string, string>> {
  return initialFilter === undefined ? {} : { [initialFilter.filter]: '' };
}

function withQuery(path: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(fields).toString();
  return query === '' ? path : `${path}?${query}`;
}

function bothDirections<Item>(column: PageColumn<Item>, list: PageList<Item>): readonly Option[] {
  const first = firstDirection(column);
  return [first, oppositeDirection(first)].map((direction) => ({
    value: sortName({ by: column.name, direction }, list),
    title: formatOrder(column, direction),
  }));
}

/** Returns the order after a click on a column's title. A click on the current column reverses its direction. */
function nextSort<Item>(column: PageColumn<Item>, { by, direction }: Sort): Sort {
  return { by: column.name, direction: column.name === by ? oppositeDirection(direction) : firstDirection(column) };
}

function toCell<Item>({ kind, value, cell }: PageColumn<Item>, item: Item): Cell {
  if (typeof cell === 'function') return cell(item);
  const content = value(item);
  if (content === null) return EMPTY_CELL;
  if (typeof content === 'string') return { text: content };
  return kind === 'time' ? { at: content as EpochSeconds } : { text: message('list.number', { number: content }) };
}

function formatOrder<Item>({ title, kind }: PageColumn<Item>, direction: Direction): Text {
  return message(ORDERS[kind][direction], { column: title });
}

function formatSummary<Item>({ countMessage }: PageList<Item>, total: number, matchCount: number | null): Text {
  const totalText = message(countMessage, { total });
  return matchCount === null ? totalText : message('list.matching', { all: totalText, matching: matchCount });
}

function formatCaption<Item>({ columns, name: list }: PageList<Item>, { by, direction }: Sort): Text {
  const column = columns.find(({ name }) => name === by);
  return column === undefined ? list : message('list.sorted', { list, order: formatOrder(column, direction) });
}

function emptyMessages<Item>(
  total: number,
  matchCount: number,
  { countMessage }: PageList<Item>,
): { readonly title: Text; readonly text?: Text; readonly action?: null } {
  const none = message(countMessage, { total: 0 });
  if (total === 0) return { title: none };
  if (matchCount === 0)
    return { title: message('list.none-found', { none }), text: message('list.none-found.text'), action: null };
  return { title: message('list.none-here'), text: message('list.none-here.text'), action: null };
}

function formatRange<Item>({ items, offset, matchCount }: ListPage<Item>): Text {
  if (items.length === 0 || items.length === matchCount) return '';
  return message('list.range', { first: offset + 1, last: offset + items.length, matching: matchCount });
}

function pageLinks<Item>(
  { items, offset, matchCount, previous, next }: ListPage<Item>,
  itemsPerPage: number,
  urlWith: (fields: Readonly<Record<string, string>>) => string,
): ListLocals['links'] {
  const last = Math.ceil(matchCount / itemsPerPage);
  const lastHref = urlWith({ page: String(last) });
  if (items.length === 0 && matchCount > 0) return { first: null, previous: lastHref, next: null, last: null };
  return {
    first: offset > itemsPerPage ? urlWith({}) : null,
    previous: previous && urlWith({ cursor: writeCursor(previous) }),
    next: next && urlWith({ cursor: writeCursor(next) }),
    last: offset + 2 * itemsPerPage < matchCount ? lastHref : null,
  };
}
