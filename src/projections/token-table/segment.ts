import { ROW_BYTES, writeRow, type Row } from './row.ts';
import type { TermsRegister } from './terms.ts';

/** A megabyte of rows: half of one is the most that is ever copied at once to make room. */
export const SEGMENT_ROWS = 16_384;
/** An hour with three tokens needs no megabyte. */
const FIRST_ROWS = 16;

/** Rows in the order in which they came. Rows are only ever added. */
export interface Segment {
  /** See segment-register.ts. */
  readonly number: number;
  /** Its generation's: hours since the epoch. */
  readonly hour: number;
  /** Its generation's. */
  readonly terms: TermsRegister;
  /** As they lie in memory; those beyond `count` are not written yet. */
  rows(): Buffer;
  count(): number;
  /** The new row's number. The caller sees to it that there is room. */
  append(row: Row): number;
  /** The first of the new rows' numbers. The caller sees to it that there is room. */
  appendWritten(rows: Uint8Array): number;
  /** The rows written so far, which stay as they are, wherever later ones go: none is copied. */
  freeze(): Buffer;
}

export function createSegment(of: Pick<Segment, 'number' | 'hour' | 'terms'>): Segment {
  let rows = Buffer.alloc(FIRST_ROWS * ROW_BYTES);
  let count = 0;

  function makeRoomFor(more: number): void {
    const needed = (count + more) * ROW_BYTES;
    if (needed <= rows.length) return;
    let capacity = rows.length;
    while (capacity < needed) capacity *= 2;
    const larger = Buffer.alloc(capacity);
    rows.copy(larger, 0, 0, count * ROW_BYTES);
    rows = larger;
  }

  return {
    ...of,
    rows: () => rows,
    count: () => count,
    append(row) {
      makeRoomFor(1);
      writeRow(rows, count * ROW_BYTES, row);
      return count++;
    },
    appendWritten(written) {
      const first = count;
      makeRoomFor(written.length / ROW_BYTES);
      rows.set(written, first * ROW_BYTES);
      count += written.length / ROW_BYTES;
      return first;
    },
    freeze: () => rows.subarray(0, count * ROW_BYTES),
  };
}
