import { queryOf } from '../pipeline/query.ts';
import type { RequestContext } from '../pipeline/state.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/**
 * Responds with a JSON array of the entries whose ids are greater than `?after=`: at most `?limit=` entries, and never
 * more than 1,000. On every page but the last, the `Link` header contains the URL of the next page.
 */
export function respondWithList<Entry extends { readonly id: number }>(
  ctx: RequestContext,
  page: (after: number, limit: number) => readonly Entry[],
  toResource: (entry: Entry) => object,
): void {
  const query = queryOf(ctx);
  const limit = readNumber(query.list('limit'), DEFAULT_LIMIT);
  const after = readNumber(query.list('after'), 0);
  if (limit === undefined || after === undefined || limit < 1) {
    ctx.status = 400;
    ctx.body = { detail: 'limit and after must be whole numbers, and limit must be at least 1.' };
    return;
  }
  const pageSize = Math.min(limit, MAX_LIMIT);
  const entries = page(after, pageSize + 1);
  const pageEntries = entries.slice(0, pageSize);
  const last = pageEntries.at(-1);
  if (entries.length > pageSize && last !== undefined)
    ctx.set('Link', `<${ctx.path}?limit=${pageSize}&after=${last.id}>; rel="next"`);
  ctx.body = pageEntries.map(toResource);
}

function readNumber([value, ...rest]: readonly string[], fallback: number): number | undefined {
  if (value === undefined) return fallback;
  return rest.length === 0 && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
