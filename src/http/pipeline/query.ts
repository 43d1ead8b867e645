import { QUERY_FIELDS, type QueryName } from '../../config/input-limits.ts';
import { message, type Text } from '../../language/message.ts';
import { decodeWithin, splitPairs } from './form-encoding.ts';
import { PageError } from './page-error.ts';
import { encodedQuery } from './request-head.ts';
import type { RequestContext } from './state.ts';

/** The known fields of a query. Unknown fields are ignored. */
export interface Query {
  /**
   * Returns the value of a field, or undefined if the field is absent.
   * @throws PageError 400 if the field is repeated, or its value is too long or malformed
   */
  text(name: QueryName): string | undefined;
  /**
   * Returns the values of a field that may be repeated.
   * @throws PageError 400 if a value is too long or malformed
   */
  list(name: QueryName): readonly string[];
}

/** Enough for a filter with every event type. */
const MAX_FIELDS = 100;

/**
 * Returns the query in the URL of the request.
 * @throws PageError 400 if the query has too many fields or a malformed name
 */
export function queryOf(ctx: RequestContext): Query {
  const pairs = rejectMalformed(() => splitPairs(encodedQuery(ctx), MAX_FIELDS));
  if (pairs === undefined) throw unreadableQueryError(message('error.too-many-fields', { limit: MAX_FIELDS }));

  function list(name: QueryName): readonly string[] {
    const limit = QUERY_FIELDS[name];
    return (pairs ?? [])
      .filter((pair) => pair.name === name)
      .map(({ value }) => {
        const text = rejectMalformed(() => decodeWithin(value, limit));
        if (text === undefined) throw unreadableQueryError(message('error.too-long', { name, limit }));
        return text;
      });
  }

  return {
    list,
    text(name) {
      const [text, ...rest] = list(name);
      if (rest.length > 0) throw unreadableQueryError(message('error.repeated', { name }));
      return text;
    },
  };
}

function rejectMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw unreadableQueryError(message('error.encoding'));
  }
}

export function unreadableQueryError(text: Text): PageError {
  return new PageError(
    400,
    message('error.unreadable-address'),
    text,
    message('error.unreadable-address.advice'),
    undefined,
    [],
    ['without-query'],
  );
}
