import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidValue } from './request-input.ts';

/** A page of an operation's results, and their total number. */
export interface ResultPage {
  readonly items: readonly unknown[];
  readonly total: number;
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
}

type Row = Readonly<Record<string, unknown>>;

const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1_000;

/** The number of results after which other requests get a turn. */
const RESULTS_PER_TURN = 500;

/** The index and the key of the last entry on the previous page. */
interface Cursor {
  readonly index: number;
  readonly key: string;
}

export interface PageRequest {
  readonly limit: number;
  readonly after: Cursor | undefined;
}

/**
 * Parses the query parameters that select a page.
 * @throws OperationRefused if `limit` or `cursor` is invalid
 */
export function parsePageRequest(limit: string | undefined, cursor: string | undefined): PageRequest {
  if (limit !== undefined && !(/^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MAX_LIMIT))
    throw invalidValue('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
  const [, index = '', key = ''] = /^(\d{1,9})\.([A-Za-z0-9_-]{16})$/.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && key === '')
    throw invalidValue('cursor', 'must be the value of "next" from the previous page');
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
    after: cursor === undefined ? undefined : { index: Number(index), key },
  };
}

/**
 * Returns the requested page of the results. Holds at most two pages in memory. The page begins after the cursor's
 * entry, even if that entry has moved. If the entry has been removed, the page begins at the entry's old index.
 */
export async function readPage(
  results: AsyncIterable<unknown>,
  keyMembers: readonly string[],
  { limit, after }: PageRequest,
): Promise<ResultPage> {
  const keyOf = (row: unknown): string => rowKey(row as Row, keyMembers);
  const [windowFromIndex, windowFromEntry] = [createWindow(limit), createWindow(limit)];
  let total = 0;
  let hasFoundEntry = after === undefined;
  for await (const row of results) {
    if (hasFoundEntry) windowFromEntry.add(row, total);
    else if (keyOf(row) === after?.key) hasFoundEntry = true;
    if (!(total < (after?.index ?? -1))) windowFromIndex.add(row, total);
    total += 1;
    if (total % RESULTS_PER_TURN === 0) await nextTurn();
  }
  const { rows, lastIndex } = hasFoundEntry ? windowFromEntry : windowFromIndex;
  const last = rows.at(-1);
  const hasMore = last !== undefined && lastIndex() < total - 1;
  return { items: rows, total, next: hasMore ? `${lastIndex()}.${keyOf(last)}` : null };
}

function createWindow(limit: number) {
  const rows: unknown[] = [];
  let last = -1;
  return {
    rows,
    add(row: unknown, index: number): void {
      if (rows.length >= limit) return;
      rows.push(row);
      last = index;
    },
    lastIndex: () => last,
  };
}

/** Returns the key of the row, hashed to keep the cursor short. */
function rowKey(row: Row, members: readonly string[]): string {
  const values = members.map((member) => row[member] ?? null);
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 16);
}
