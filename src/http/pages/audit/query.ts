import { message } from '../../../language/message.ts';
import { queryOf, unreadableQueryError, type Query } from '../../pipeline/query.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Returns the query of a submitted filter form. Trims values, and leaves out empty values and duplicates. */
export function readTrimmedQuery(ctx: RequestContext): Query {
  const query = queryOf(ctx);
  return {
    text: (name) => query.text(name)?.trim() || undefined,
    list: (name) => [
      ...new Set(
        query
          .list(name)
          .map((text) => text.trim())
          .filter((text) => text !== ''),
      ),
    ],
  };
}

/**
 * Reads a position from the query. Returns undefined if the field is absent.
 * @throws PageError 400 if the field is repeated, or is not a whole number
 */
export function readPosition(query: Query, name: 'from' | 'after'): number | undefined {
  const text = query.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw unreadableQueryError(message('as-of.not-a-number', { name }));
  return Number(text);
}
