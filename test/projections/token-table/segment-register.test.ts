import { expect } from 'chai';
import { createSegmentRegister, referenceTo, rowOf } from '../../../src/projections/token-table/segment-register.ts';
import { createSegment, SEGMENT_ROWS } from '../../../src/projections/token-table/segment.ts';
import { createTermsRegister } from '../../../src/projections/token-table/terms.ts';

const MAX_SEGMENTS = 2 ** 32 / SEGMENT_ROWS - 1;
const template = createSegment({ number: 0, kind: 'client', hour: 0, terms: createTermsRegister() });
const createNumbered = (number: number) => ({ ...template, number });

describe('the segment register', () => {
  it('assigns every row a 32-bit reference that is never 0', () => {
    const register = createSegmentRegister();
    const first = register.add(createNumbered);
    expect(referenceTo(first, 0)).to.be.greaterThan(0);
    const last = createNumbered(MAX_SEGMENTS);
    expect(referenceTo(last, SEGMENT_ROWS - 1)).to.equal(0xffff_ffff);
    expect(rowOf(referenceTo(last, SEGMENT_ROWS - 1))).to.equal(SEGMENT_ROWS - 1);
    expect(register.segmentOf(referenceTo(first, 5))).to.equal(first);
    register.remove(first);
    expect(register.segmentOf(referenceTo(first, 5))).to.equal(undefined);
  });

  it('reuses a number only after all other numbers have been used, and never while it is in use', () => {
    const register = createSegmentRegister();
    const segmentsInUse = [register.add(createNumbered), register.add(createNumbered)];
    const numbers = new Set(segmentsInUse.map(({ number }) => number));
    for (let count = 2; count < MAX_SEGMENTS; count += 1) {
      const segment = register.add(createNumbered);
      numbers.add(segment.number);
      register.remove(segment);
    }
    expect(numbers.size).to.equal(MAX_SEGMENTS);
    expect([register.add(createNumbered).number, register.add(createNumbered).number]).to.deep.equal([3, 4]);
  });

  it('refuses a segment beyond its capacity', () => {
    const register = createSegmentRegister();
    for (let count = 0; count < MAX_SEGMENTS; count += 1) register.add(createNumbered);
    expect(() => register.add(createNumbered)).to.throw(RangeError);
  });
});
