import { ROW_BYTES, rowsIn, writeRow, type Row, type RowKind, type Rows } from './row.ts';
import type { TermsRegister } from './terms.ts';

/** 0.8 or 1.1 MB of rows: half of one is the most that is ever copied at once to make room. */
export const SEGMENT_ROWS = 16_384;
/** An hour with three tokens needs no megabyte. */
const FIRST_ROWS = 16;

/** Rows of one kind in the order in which they came. Rows are only ever added. */
export interface Segment {
  /** See segment-register.ts. */
  readonly number: number;
  readonly kind: RowKind;
  /** A row's. */
  readonly bytes: number;
  /** Its generation's: hours since the epoch. */
  readonly hour: number;
  /** Its generation's. */
  readonly terms: TermsRegister;
  /** As they lie in memory; those beyond `count` are not written yet. */
  rows(): Rows;
  count(): number;
  /** The new row's number. The caller sees to it that there is room. */
  append(row: Row): number;
  /** The rows written so far, which stay as they are, wherever later ones go: none is copied. */
  freeze(): Buffer;
}

/** @param written its first rows, which are copied */
export function createSegment(of: Pick<Segment, 'number' | 'kind' | 'hour' | 'terms'>, written: Uint8Array = new Uint8Array()): Segment {
  const bytes = ROW_BYTES[of.kind];
  let count = written.length / bytes;
  let capacity = Math.max(FIRST_ROWS, count);
  let rows = rowsIn(Buffer.alloc(capacity * bytes));
  rows.bytes.set(written);

  function makeRoom(): void {
    capacity = Math.min(SEGMENT_ROWS, 2 * capacity);
    const larger = rowsIn(Buffer.alloc(capacity * bytes));
    rows.bytes.copy(larger.bytes);
    rows = larger;
  }

  return {
    ...of,
    bytes,
    rows: () => rows,
    count: () => count,
    append(row) {
      if (count === capacity) makeRoom();
      writeRow(rows, count * bytes, row);
      return count++;
    },
    freeze: () => rows.bytes.subarray(0, count * bytes),
  };
}
