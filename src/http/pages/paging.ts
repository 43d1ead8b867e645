import { queryOf } from '../pipeline/query.ts';
import type { RequestContext } from '../pipeline/state.ts';

const ITEMS_PER_PAGE = 50;

/** Where in a list a reader is. */
export interface Paging {
  /** As it was typed; empty for everything. */
  readonly query: string;
  /** From 1. */
  readonly number: number;
  /** Addresses of the pages beside this one; null where there is none. */
  readonly previous: string | null;
  readonly next: string | null;
}

/**
 * The page of items that `?q=` and `?page=` ask for. An unknown page is the first one.
 * @param itemsAPage fewer than usual where each item takes much room
 * @throws PageError 400 a field is too long
 */
export function paginate<Item>(
  ctx: RequestContext,
  find: (query: string) => Iterable<Item>,
  itemsAPage = ITEMS_PER_PAGE,
): { readonly items: readonly Item[]; readonly paging: Paging } {
  const fields = queryOf(ctx);
  const query = singleValue(fields.list('q')).trim();
  const asked = singleValue(fields.list('page'));
  const number = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
  const items: Item[] = [];
  let seen = 0;
  for (const item of find(query)) {
    seen += 1;
    if (seen > number * itemsAPage) break;
    if (seen > (number - 1) * itemsAPage) items.push(item);
  }
  const address = (page: number): string =>
    `${ctx.path}?${new URLSearchParams({ ...(query === '' ? {} : { q: query }), page: String(page) }).toString()}`;
  const last = Math.ceil(seen / itemsAPage) || 1;
  const previous = number > 1 ? address(Math.min(number - 1, last)) : null;
  const next = seen > number * itemsAPage ? address(number + 1) : null;
  return { items, paging: { query, number, previous, next } };
}

function singleValue([text = '', ...more]: readonly string[]): string {
  return more.length === 0 ? text : '';
}
