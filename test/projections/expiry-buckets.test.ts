import { expect } from 'chai';
import fc from 'fast-check';
import { createExpiryBuckets } from '../../src/projections/expiry-buckets.ts';

const HOUR = 3_600;

describe('expiry buckets', () => {
  it('release each key once, within an hour after its expiry', () => {
    const anEnd = fc.integer({ min: 0, max: 20 * HOUR });
    fc.assert(
      fc.property(
        fc.array(anEnd, { maxLength: 30 }),
        fc.array(fc.integer({ min: 0, max: 25 * HOUR }), { maxLength: 10 }),
        (ends, times) => {
          const buckets = createExpiryBuckets<number>();
          const released = new Set<number>();
          ends.forEach((end, key) => buckets.add(key, end));
          for (const now of times.toSorted((left, right) => left - right)) {
            buckets.expire(now, (key) => {
              expect(released.has(key)).to.equal(false);
              expect(ends[key]).to.be.below(now);
              released.add(key);
            });
            ends.forEach((end, key) => {
              if (end + HOUR <= now) expect(released.has(key)).to.equal(true);
            });
          }
        },
      ),
    );
  });

  it('release a key that had expired, and whose bucket had been released, before it was added', () => {
    const buckets = createExpiryBuckets<string>();
    const released: string[] = [];
    buckets.add('first', 10);
    buckets.expire(2 * HOUR, (key) => released.push(key));
    buckets.add('late', 20);
    buckets.expire(2 * HOUR, (key) => released.push(key));
    expect(released).to.deep.equal(['first', 'late']);
  });
});
