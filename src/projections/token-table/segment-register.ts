import { SEGMENT_ROWS } from './segment.ts';

/** Numbers the segments, so that 32 bits identify a row: the segment's number, then the row's number in the segment. */
export interface SegmentRegister<Segment extends NumberedSegment> {
  /**
   * Creates a segment with a free number, and adds it.
   * @throws RangeError if all numbers are in use
   */
  add(create: (number: number) => Segment): Segment;
  remove(segment: Segment): void;
  /** Returns the segment of the row, or undefined if it was removed. */
  segmentOf(reference: number): Segment | undefined;
}

interface NumberedSegment {
  /** The number in the register. */
  readonly number: number;
}

const ROW_BITS = Math.log2(SEGMENT_ROWS);
/** Segment numbers start at 1, so that no reference is 0. 262,143 segments have room for 4 billion rows. */
const NUMBER_LIMIT = 2 ** (32 - ROW_BITS);

export function createSegmentRegister<Segment extends NumberedSegment>(): SegmentRegister<Segment> {
  const segments: (Segment | undefined)[] = [];
  let newestNumber = 0;

  /**
   * Numbers are reused as late as possible, when few index entries still refer to the previous segment. Such an entry
   * leads to a row with a different key, which a lookup ignores.
   */
  function findFreeNumber(): number {
    for (let step = 1; step < NUMBER_LIMIT; step += 1) {
      const number = 1 + ((newestNumber - 1 + step) % (NUMBER_LIMIT - 1));
      if (segments[number] === undefined) return number;
    }
    throw new RangeError(`the table has reached its limit of ${NUMBER_LIMIT - 1} segments`);
  }

  return {
    add(create) {
      newestNumber = findFreeNumber();
      const segment = create(newestNumber);
      segments[newestNumber] = segment;
      return segment;
    },
    remove: ({ number }) => {
      segments[number] = undefined;
    },
    segmentOf: (reference) => segments[reference >>> ROW_BITS],
  };
}

export function referenceTo({ number }: NumberedSegment, row: number): number {
  return ((number << ROW_BITS) | row) >>> 0;
}

export function rowOf(reference: number): number {
  return reference & (SEGMENT_ROWS - 1);
}
