import { ROW_BYTES, rowsIn, type RowKind, type Rows } from './row.ts';
import type { TermsRegister } from './terms.ts';

/** 0.8 to 1.2 MB of rows: half of one is the most that is ever copied at once to make room. */
export const SEGMENT_ROWS = 16_384;
/** An hour with three tokens needs no megabyte. */
const INITIAL_ROWS = 16;

/**
 * Rows of one kind in the order in which they came. They are added and removed, and never changed. Each has a number,
 * which it keeps: 0 for the first one.
 */
export interface Segment {
  /** See segment-register.ts. */
  readonly number: number;
  readonly kind: RowKind;
  /** A row's. */
  readonly rowBytes: number;
  /** Its generation's: hours since the epoch. */
  readonly hour: number;
  /** Its generation's. */
  readonly terms: TermsRegister;
  /** As they lie in memory until the next change. */
  rows(): Rows;
  /** Has a new row written where it is to be, and returns its number. The caller sees to it that there is room. */
  append(write: (rows: Rows, at: number) => void): number;
  isFull(): boolean;
  /** Where the row begins in `rows`; undefined where it was removed or never came. */
  find(row: number): number | undefined;
  /** Takes out a row that is there. The room that it had is given back once half of the segment stands empty. */
  remove(row: number): void;
  /** How many rows there are. */
  count(): number;
  /** Where each row begins in `rows`, in order; good until the next change. */
  offsets(): Iterable<number>;
  /** The rows there are, which stay as they are, wherever later ones go: none is copied. */
  freeze(): FrozenRows;
}

/** The rows of a segment at one moment. */
export interface FrozenRows {
  readonly rows: Buffer;
  /** A bit for each row that is removed and still among them; undefined where none is. */
  readonly removed: Uint8Array | undefined;
}

/** @param written its first rows, which are copied */
export function createSegment(
  of: Pick<Segment, 'number' | 'kind' | 'hour' | 'terms'>,
  written: Uint8Array = new Uint8Array(),
): Segment {
  const bytes = ROW_BYTES[of.kind];
  /** How many numbers were given. */
  let given = written.length / bytes;
  /** Rows in memory, those that are only marked as removed among them. */
  let held = given;
  let capacity = Math.max(INITIAL_ROWS, held);
  let rows = rowsIn(Buffer.alloc(capacity * bytes));
  rows.bytes.set(written);
  /** The number of each row in memory, in order; undefined until rows were moved. */
  let numbers: Uint16Array | undefined;
  /** A bit for each row in memory. Kept apart from the rows, because frozen rows must not change. */
  let removed: Uint8Array | undefined;
  let removals = 0;

  function makeRoom(): void {
    capacity = Math.min(SEGMENT_ROWS, Math.max(INITIAL_ROWS, 2 * capacity));
    const larger = rowsIn(Buffer.alloc(capacity * bytes));
    rows.bytes.copy(larger.bytes);
    rows = larger;
    if (numbers === undefined) return;
    const longer = new Uint16Array(capacity);
    longer.set(numbers);
    numbers = longer;
  }

  /** The place in memory of the row with that number; of one that is gone, some other. */
  function placeOf(row: number): number {
    if (numbers === undefined) return row;
    let [low, high] = [0, held];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[middle] ?? 0) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function isThere(place: number, row: number): boolean {
    return place < held && (numbers === undefined || numbers[place] === row) && !isSet(removed, place);
  }

  /** Copies the rows that are left to new memory, because frozen rows must not move. */
  function compact(): void {
    const left = new Uint16Array(held - removals);
    for (let place = 0, next = 0; place < held; place += 1) {
      if (!isSet(removed, place)) left[next++] = numbers === undefined ? place : (numbers[place] ?? 0);
    }
    rows = rowsIn(remainingRows({ rows: rows.bytes.subarray(0, held * bytes), removed }, of.kind));
    numbers = left;
    [held, capacity, removed, removals] = [left.length, left.length, undefined, 0];
  }

  return {
    ...of,
    rowBytes: bytes,
    rows: () => rows,
    append(write) {
      if (held === capacity) makeRoom();
      write(rows, held * bytes);
      if (numbers !== undefined) numbers[held] = given;
      held += 1;
      return given++;
    },
    isFull: () => given === SEGMENT_ROWS,
    find(row) {
      const place = placeOf(row);
      return isThere(place, row) ? place * bytes : undefined;
    },
    remove(row) {
      const place = placeOf(row);
      if (!isThere(place, row)) return;
      removed = withBit(removed, place, capacity);
      removals += 1;
      if (removals >= INITIAL_ROWS && 2 * removals >= held) compact();
    },
    count: () => held - removals,
    *offsets() {
      for (let place = 0; place < held; place += 1) if (!isSet(removed, place)) yield place * bytes;
    },
    freeze: () => ({ rows: rows.bytes.subarray(0, held * bytes), removed: removed?.slice() }),
  };
}

/** The rows that are not removed, copied next to each other. */
export function remainingRows({ rows, removed }: FrozenRows, kind: RowKind): Buffer {
  const bytes = ROW_BYTES[kind];
  const count = rows.length / bytes;
  const left = Buffer.alloc(rows.length);
  let length = 0;
  for (let place = 0; place < count;) {
    const begin = place;
    while (place < count && !isSet(removed, place)) place += 1;
    length += rows.copy(left, length, begin * bytes, place * bytes); // as many at once as lie together
    while (place < count && isSet(removed, place)) place += 1;
  }
  return Buffer.from(left.subarray(0, length));
}

function isSet(bits: Uint8Array | undefined, at: number): boolean {
  return bits !== undefined && (((bits[at >>> 3] ?? 0) >>> (at & 7)) & 1) === 1;
}

/** The bits with one more set, in room for `capacity` of them. */
function withBit(bits: Uint8Array | undefined, at: number, capacity: number): Uint8Array {
  const length = Math.ceil(capacity / 8);
  const wide = bits !== undefined && bits.length >= length ? bits : new Uint8Array(length);
  if (wide !== bits && bits !== undefined) wide.set(bits);
  wide[at >>> 3] = (wide[at >>> 3] ?? 0) | (1 << (at & 7));
  return wide;
}
