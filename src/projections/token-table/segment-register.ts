import { SEGMENT_ROWS, type Segment } from './segment.ts';

/** Segments by number, so that 32 bits name a row: the segment's number, then the row's in it. */
export interface SegmentRegister {
  /** @throws RangeError there is no number left */
  add(create: (number: number) => Segment): Segment;
  remove(segment: Segment): void;
  /** The segment that the row is in; undefined once it was removed. */
  segmentOf(reference: number): Segment | undefined;
}

const ROW_BITS = Math.log2(SEGMENT_ROWS);
/** From 1, so that no row has the number 0. 262,143 at a time: four thousand million rows. */
const NUMBERS = 2 ** (32 - ROW_BITS);

export function createSegmentRegister(): SegmentRegister {
  const segments: (Segment | undefined)[] = [];
  let newest = 0;

  /**
   * Round and round, so that a number comes back as late as can be: by then few entries of the index still mean
   * the segment that had it before. Those that do find a row with another key, which is nothing to them.
   */
  function freeNumber(): number {
    for (let step = 1; step < NUMBERS; step += 1) {
      const number = 1 + ((newest - 1 + step) % (NUMBERS - 1));
      if (segments[number] === undefined) return number;
    }
    throw new RangeError('as many segments as there are numbers');
  }

  return {
    add(create) {
      newest = freeNumber();
      const segment = create(newest);
      segments[newest] = segment;
      return segment;
    },
    remove: ({ number }) => {
      segments[number] = undefined;
    },
    segmentOf: (reference) => segments[reference >>> ROW_BITS],
  };
}

export function referenceTo({ number }: Segment, row: number): number {
  return ((number << ROW_BITS) | row) >>> 0;
}

export function rowOf(reference: number): number {
  return reference & (SEGMENT_ROWS - 1);
}
