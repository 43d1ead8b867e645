import { queryOf } from '../pipeline/query.ts';
import type { RequestContext } from '../pipeline/state.ts';

const ITEMS_PER_PAGE = 50;

/** The current page of a list. */
export interface Paging {
  /** The search term; empty to match every item. */
  readonly query: string;
  /** The number of the page, starting at 1. */
  readonly number: number;
  /** The URL of the previous page, or null on the first page. */
  readonly previous: string | null;
  /** The URL of the next page, or null on the last page. */
  readonly next: string | null;
}

/**
 * Returns the page of items that `?q=` and `?page=` select. An invalid page number selects the first page.
 * @param itemsPerPage the maximum number of items on a page
 * @param filters other query fields, for the URLs of the adjacent pages
 * @throws PageError 400 if the query is malformed, or a field is too long
 */
export function paginate<Item>(
  ctx: RequestContext,
  find: (query: string) => Iterable<Item>,
  itemsPerPage = ITEMS_PER_PAGE,
  filters: Readonly<Record<string, string>> = {},
): PageItems<Item> {
  const { query, select } = readPage(ctx, itemsPerPage, filters);
  return select(find(query));
}

interface PageItems<Item> {
  readonly items: readonly Item[];
  readonly paging: Paging;
}

/**
 * Reads `?q=` and `?page=` like `paginate`, but lets the caller find the items afterwards and pass them to `select`.
 * @throws PageError 400 if the query is malformed, or a field is too long
 */
export function readPage(
  ctx: RequestContext,
  itemsPerPage = ITEMS_PER_PAGE,
  filters: Readonly<Record<string, string>> = {},
): { readonly query: string; select<Item>(matches: Iterable<Item>): PageItems<Item> } {
  const fields = queryOf(ctx);
  const query = singleValue(fields.list('q')).trim();
  const text = singleValue(fields.list('page'));
  const number = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
  const pageFields = { ...filters, ...(query !== '' && { q: query }) };
  const urlOfPage = (page: number): string =>
    `${ctx.path}?${new URLSearchParams({ ...pageFields, page: String(page) }).toString()}`;
  return {
    query,
    select<Item>(matches: Iterable<Item>) {
      const items: Item[] = [];
      let count = 0;
      for (const item of matches) {
        count += 1;
        if (count > number * itemsPerPage) break;
        if (count > (number - 1) * itemsPerPage) items.push(item);
      }
      const last = Math.ceil(count / itemsPerPage) || 1;
      const previous = number > 1 ? urlOfPage(Math.min(number - 1, last)) : null;
      const next = count > number * itemsPerPage ? urlOfPage(number + 1) : null;
      return { items, paging: { query, number, previous, next } };
    },
  };
}

function singleValue([text = '', ...otherValues]: readonly string[]): string {
  return otherValues.length === 0 ? text : '';
}
