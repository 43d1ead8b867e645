import type { QueryName } from '../../../config/input-limits.ts';
import { firstDirection, type Selection, type Sort } from '../../../lists/list.ts';
import type { Cursor, Place } from '../../../lists/select.ts';
import type { Query } from '../../pipeline/query.ts';
import type { PageList } from './page-list.ts';

/** The reader's choices in the URL of a list. Unknown and repeated values are ignored. */
export interface ListRequest extends Selection {
  readonly place: Place;
}

/**
 * Reads the reader's choices from the query.
 * @throws PageError 400 if a field is too long or malformed
 */
export function readListRequest<Item>(fields: Query, list: PageList<Item>): ListRequest {
  return {
    query: singleValue(fields.list('q')).trim(),
    filterValues: readFilterValues(fields, list),
    sort: parseSort(singleValue(fields.list('sort')), list),
    place: readPlace(singleValue(fields.list('cursor')), singleValue(fields.list('page'))),
  };
}

function readFilterValues<Item>(
  fields: Query,
  { filters, initialFilter }: PageList<Item>,
): ListRequest['filterValues'] {
  const isBareUrl = ['q', 'format', ...filters.map(({ name }) => name)].every(
    (name) => fields.list(name as QueryName).length === 0,
  );
  if (isBareUrl && initialFilter !== undefined) return { [initialFilter.filter]: initialFilter.value };
  return Object.fromEntries(
    filters.flatMap(({ name, choices }) => {
      const value = singleValue(fields.list(name));
      return choices.some((choice) => choice.value === value) ? [[name, value]] : [];
    }),
  );
}

function singleValue(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? '') : '';
}

function parseSort<Item>(name: string, { columns, sort }: PageList<Item>): Sort {
  const by = name.replace(/^-/, '');
  const column = columns.find((candidate) => candidate.name === by && candidate.isSortable !== false);
  if (column === undefined) return sort;
  const direction = firstDirection(column);
  return { by, direction: name === by ? direction : oppositeDirection(direction) };
}

/** Returns the value of `sort` in a URL: the name of the column, preceded by a minus for its second direction. */
export function sortName<Item>({ by, direction }: Sort, { columns }: Pick<PageList<Item>, 'columns'>): string {
  const column = columns.find(({ name }) => name === by);
  return column === undefined || direction === firstDirection(column) ? by : `-${by}`;
}

export function oppositeDirection(direction: Sort['direction']): Sort['direction'] {
  return direction === 'ascending' ? 'descending' : 'ascending';
}

function readPlace(cursor: string, page: string): Place {
  return readCursor(cursor) ?? { page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1 };
}

export function writeCursor({ side, key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([side, key, id])).toString('base64url');
}

function readCursor(text: string): Cursor | undefined {
  if (text === '') return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parts)) return undefined;
    const [side, key, id] = parts as readonly unknown[];
    if (side !== 'after' && side !== 'before') return undefined;
    if (key !== null && typeof key !== 'string' && typeof key !== 'number') return undefined;
    return typeof id === 'string' || typeof id === 'number' ? { side, key, id } : undefined;
  } catch {
    return undefined;
  }
}
