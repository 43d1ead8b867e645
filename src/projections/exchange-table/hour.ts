import type { GrantId } from '../../domain/values.ts';
import type { SegmentRegister } from '../token-table/segment-register.ts';
import { SEGMENT_ROWS } from '../token-table/segment.ts';
import { rowsIn, type Rows } from '../token-table/row.ts';
import { EXCHANGE_BYTES, grantIdOf, type ExchangeTerms } from './row.ts';

/** The exchanges that expire in the same hour. */
export interface Hour {
  /** Seconds since the epoch. */
  readonly start: number;
  readonly segments: Segment[];
  readonly terms: ExchangeTerms[];
  readonly termsNumbers: Map<string, number>;
  /** The revoked exchanges. Kept apart from the rows, which must not change because a snapshot may read them later. */
  readonly revoked: Set<GrantId>;
}

export interface Segment {
  /** The number in the segment register. */
  readonly number: number;
  readonly hour: Hour;
  rows: Rows;
  count: number;
}

/** The location of a row, valid until the next change. */
export interface Location {
  readonly segment: Segment;
  readonly offset: number;
}

/** Small, because some hours have only a few exchanges. */
const INITIAL_ROWS = 16;

export function createHour(start: number): Hour {
  return { start, segments: [], terms: [], termsNumbers: new Map(), revoked: new Set() };
}

/** Returns the number that identifies the terms in the hour. Assigns a number if the terms are new. */
export function internTerms(terms: ExchangeTerms, hour: Hour): number {
  const key = JSON.stringify(terms);
  const existingNumber = hour.termsNumbers.get(key);
  if (existingNumber !== undefined) return existingNumber;
  const number = hour.terms.push(terms) - 1;
  hour.termsNumbers.set(key, number);
  return number;
}

/** Returns a segment of the hour with room for one more row, after enlarging or adding one if necessary. */
export function makeRoom(hour: Hour, register: SegmentRegister<Segment>): Segment {
  const lastSegment = hour.segments.at(-1);
  if (lastSegment === undefined || lastSegment.count === SEGMENT_ROWS) {
    const rows = rowsIn(Buffer.alloc(INITIAL_ROWS * EXCHANGE_BYTES));
    const segment = register.add((number) => ({ number, hour, rows, count: 0 }));
    hour.segments.push(segment);
    return segment;
  }
  const size = lastSegment.count * EXCHANGE_BYTES;
  if (size === lastSegment.rows.bytes.length) {
    const largerRows = rowsIn(Buffer.alloc(2 * size));
    lastSegment.rows.bytes.copy(largerRows.bytes);
    lastSegment.rows = largerRows;
  }
  return lastSegment;
}

export const isRevokedAt = ({ segment: { hour, rows }, offset }: Location): boolean =>
  hour.revoked.size > 0 && hour.revoked.has(grantIdOf(rows, offset));

export function* locationsIn({ segments }: Hour): Generator<Location, void, void> {
  for (const segment of segments)
    for (let row = 0; row < segment.count; row += 1) yield { segment, offset: row * EXCHANGE_BYTES };
}
