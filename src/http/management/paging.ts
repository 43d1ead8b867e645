import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Input } from './row.ts';
import { wrong } from './request-input.ts';

/** Some results of an operation, with the total number of them. */
export interface ResultPage {
  readonly items: readonly unknown[];
  readonly total: number;
  /** For the next page; null if this is the last one. */
  readonly next: string | null;
}

const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1_000;

/** After so many results, other requests have a turn. */
const RESULTS_PER_TURN = 500;

/** The last entry of the page before, by its place and its key. */
interface Cursor {
  readonly place: number;
  readonly key: string;
}

export interface PageRequest {
  readonly limit: number;
  readonly after: Cursor | undefined;
}

/** @throws OperationRefused `limit` or `cursor` has a wrong form */
export function pageRequest(limit: string | undefined, cursor: string | undefined): PageRequest {
  if (limit !== undefined && !(/^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MAX_LIMIT))
    throw wrong('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
  const [, place = '', key = ''] = /^(\d{1,9})\.([A-Za-z0-9_-]{16})$/.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && key === '') throw wrong('cursor', 'must be the value of next in the page before');
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
    after: cursor === undefined ? undefined : { place: Number(place), key },
  };
}

/**
 * The page of the results, of which only as many are kept as it has. It begins after the entry of the cursor, wherever
 * that is now, or at its old place if it is gone.
 */
export async function pageOf(
  results: AsyncIterable<unknown>,
  keyMembers: readonly string[],
  { limit, after }: PageRequest,
): Promise<ResultPage> {
  const keyOf = (row: unknown): string => rowKey(row as Input, keyMembers);
  const [fromPlace, fromEntry] = [window(limit), window(limit)];
  let total = 0;
  let isFound = after === undefined;
  for await (const row of results) {
    if (isFound) fromEntry.add(row, total);
    else if (keyOf(row) === after?.key) isFound = true;
    if (!(total < (after?.place ?? -1))) fromPlace.add(row, total);
    total += 1;
    if (total % RESULTS_PER_TURN === 0) await turn();
  }
  const { rows, lastPlace } = isFound ? fromEntry : fromPlace;
  const last = rows.at(-1);
  const hasMore = last !== undefined && lastPlace() < total - 1;
  return { items: rows, total, next: hasMore ? `${lastPlace()}.${keyOf(last)}` : null };
}

function window(limit: number) {
  const rows: unknown[] = [];
  let last = -1;
  return {
    rows,
    add(row: unknown, place: number): void {
      if (rows.length >= limit) return;
      rows.push(row);
      last = place;
    },
    lastPlace: () => last,
  };
}

/** Short, whatever the length of the values. */
function rowKey(row: Input, members: readonly string[]): string {
  const values = members.map((member) => row[member] ?? null);
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 16);
}
