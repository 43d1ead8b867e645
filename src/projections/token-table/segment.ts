import { ROW_BYTES, rowsIn, type RowKind, type Rows } from './row.ts';
import type { TermsRegister } from './terms.ts';

/** 0.8 to 1.7 MB of rows, so that growing or compacting a segment copies little. */
export const SEGMENT_ROWS = 16_384;
/** Small, because some hours have only a few tokens. */
const INITIAL_ROWS = 16;

/**
 * Rows of one kind, in insertion order. Rows are added and removed, but never changed. Each row keeps its number; the
 * first is 0.
 */
export interface Segment {
  /** The number in the segment register. */
  readonly number: number;
  readonly kind: RowKind;
  /** The size of a row in bytes. */
  readonly rowBytes: number;
  /** The hour of the segment's generation, in hours since the epoch. */
  readonly hour: number;
  /** The terms of the segment's generation. */
  readonly terms: TermsRegister;
  /** Returns the rows in memory, valid until the next change. */
  rows(): Rows;
  /** Calls `write` to write a new row, and returns the row's number. The segment must not be full. */
  append(write: (rows: Rows, offset: number) => void): number;
  isFull(): boolean;
  /** Returns the offset of the row in `rows`, or undefined if it was removed or never existed. */
  find(row: number): number | undefined;
  /** Removes a row. Its memory is released once half of the segment is empty. */
  remove(row: number): void;
  /** Returns the number of rows. */
  count(): number;
  /** Returns the offset of each row in `rows`, in order, valid until the next change. */
  offsets(): Iterable<number>;
  /** Returns the current rows, without copying them. Later changes do not affect the result. */
  freeze(): FrozenRows;
}

/** The rows of a segment at one point in time. */
export interface FrozenRows {
  readonly rows: Buffer;
  /** One bit for each row in `rows`, set if the row was removed; undefined if no row was. */
  readonly removed: Uint8Array | undefined;
}

/**
 * Creates a segment.
 * @param initialRows the first rows, which are copied
 */
export function createSegment(
  properties: Pick<Segment, 'number' | 'kind' | 'hour' | 'terms'>,
  initialRows: Uint8Array = new Uint8Array(),
): Segment {
  const rowBytes = ROW_BYTES[properties.kind];
  /** The number of rows ever added. */
  let addedCount = initialRows.length / rowBytes;
  /** The number of rows in memory, including those that are only marked as removed. */
  let storedCount = addedCount;
  let capacity = Math.max(INITIAL_ROWS, storedCount);
  let rows = rowsIn(Buffer.alloc(capacity * rowBytes));
  rows.bytes.set(initialRows);
  /** The number of each row in memory, in order; undefined until the first compaction. */
  let numbers: Uint16Array | undefined;
  /** One bit for each row in memory, set if it was removed. Kept apart, because frozen rows must not change. */
  let removedBits: Uint8Array | undefined;
  let removedCount = 0;

  function grow(): void {
    capacity = Math.min(SEGMENT_ROWS, Math.max(INITIAL_ROWS, 2 * capacity));
    const largerRows = rowsIn(Buffer.alloc(capacity * rowBytes));
    rows.bytes.copy(largerRows.bytes);
    rows = largerRows;
    if (numbers === undefined) return;
    const longerNumbers = new Uint16Array(capacity);
    longerNumbers.set(numbers);
    numbers = longerNumbers;
  }

  /** Returns the index in memory of the row with that number, or any index if the row was removed (see `isRowAt`). */
  function indexOfRow(row: number): number {
    if (numbers === undefined) return row;
    let [low, high] = [0, storedCount];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[middle] ?? 0) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function isRowAt(index: number, row: number): boolean {
    return index < storedCount && (numbers === undefined || numbers[index] === row) && !isSet(removedBits, index);
  }

  /** Copies the remaining rows to new memory, because frozen rows must not move. */
  function compact(): void {
    const remainingNumbers = new Uint16Array(storedCount - removedCount);
    for (let index = 0, next = 0; index < storedCount; index += 1) {
      if (!isSet(removedBits, index)) remainingNumbers[next++] = numbers === undefined ? index : (numbers[index] ?? 0);
    }
    rows = rowsIn(
      remainingRows({ rows: rows.bytes.subarray(0, storedCount * rowBytes), removed: removedBits }, properties.kind),
    );
    numbers = remainingNumbers;
    storedCount = remainingNumbers.length;
    capacity = remainingNumbers.length;
    removedBits = undefined;
    removedCount = 0;
  }

  return {
    ...properties,
    rowBytes,
    rows: () => rows,
    append(write) {
      if (storedCount === capacity) grow();
      write(rows, storedCount * rowBytes);
      if (numbers !== undefined) numbers[storedCount] = addedCount;
      storedCount += 1;
      return addedCount++;
    },
    isFull: () => addedCount === SEGMENT_ROWS,
    find(row) {
      const index = indexOfRow(row);
      return isRowAt(index, row) ? index * rowBytes : undefined;
    },
    remove(row) {
      const index = indexOfRow(row);
      if (!isRowAt(index, row)) return;
      removedBits = withBit(removedBits, index, capacity);
      removedCount += 1;
      if (removedCount >= INITIAL_ROWS && 2 * removedCount >= storedCount) compact();
    },
    count: () => storedCount - removedCount,
    *offsets() {
      for (let index = 0; index < storedCount; index += 1) if (!isSet(removedBits, index)) yield index * rowBytes;
    },
    freeze: () => ({ rows: rows.bytes.subarray(0, storedCount * rowBytes), removed: removedBits?.slice() }),
  };
}

/** Returns a copy of the rows that are not removed. */
export function remainingRows({ rows, removed }: FrozenRows, kind: RowKind): Buffer {
  const rowBytes = ROW_BYTES[kind];
  const count = rows.length / rowBytes;
  const remainingBytes = Buffer.alloc(rows.length);
  let length = 0;
  for (let index = 0; index < count;) {
    const start = index;
    while (index < count && !isSet(removed, index)) index += 1;
    length += rows.copy(remainingBytes, length, start * rowBytes, index * rowBytes); // a whole run of rows at once
    while (index < count && isSet(removed, index)) index += 1;
  }
  return Buffer.from(remainingBytes.subarray(0, length));
}

function isSet(bits: Uint8Array | undefined, index: number): boolean {
  return bits !== undefined && (((bits[index >>> 3] ?? 0) >>> (index & 7)) & 1) === 1;
}

/** Returns the bits with one more set, enlarged to `capacity` bits if necessary. May change `bits` in place. */
function withBit(bits: Uint8Array | undefined, index: number, capacity: number): Uint8Array {
  const length = Math.ceil(capacity / 8);
  const result = bits !== undefined && bits.length >= length ? bits : new Uint8Array(length);
  if (result !== bits && bits !== undefined) result.set(bits);
  result[index >>> 3] = (result[index >>> 3] ?? 0) | (1 << (index & 7));
  return result;
}
