import type { RequestContext } from './state.ts';

const ITEMS_A_PAGE = 50;
const MAX_QUERY_LENGTH = 150;

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

/** What the address asks to see: `?q=` and `?page=`; nonsense counts as the first page of everything. */
export function pageOfItems<Item>(ctx: RequestContext, find: (query: string) => Iterable<Item>): { readonly items: readonly Item[]; readonly paging: Paging } {
  const query = textOf(ctx, 'q').trim().slice(0, MAX_QUERY_LENGTH);
  const asked = textOf(ctx, 'page');
  const number = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
  const items: Item[] = [];
  let seen = 0;
  for (const item of find(query)) {
    seen += 1;
    if (seen > number * ITEMS_A_PAGE) break;
    if (seen > (number - 1) * ITEMS_A_PAGE) items.push(item);
  }
  const address = (page: number): string => `${ctx.path}?${new URLSearchParams({ ...(query === '' ? {} : { q: query }), page: String(page) }).toString()}`;
  const paging = { query, number, previous: number > 1 ? address(Math.min(number - 1, Math.ceil(seen / ITEMS_A_PAGE) || 1)) : null, next: seen > number * ITEMS_A_PAGE ? address(number + 1) : null };
  return { items, paging };
}

function textOf({ query }: RequestContext, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value : '';
}
