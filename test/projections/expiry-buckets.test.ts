import { expect } from 'chai';
import fc from 'fast-check';
import { createExpiryBuckets } from '../../src/projections/expiry-buckets.ts';

const HOUR = 3_600;

describe('expiry buckets', () => {
  it('release each key once, within an hour of its expiry', () => {
    const anEnd = fc.integer({ min: 0, max: 20 * HOUR });
    fc.assert(
      fc.property(
        fc.array(anEnd, { maxLength: 30 }),
        fc.array(fc.integer({ min: 0, max: 25 * HOUR }), { maxLength: 10 }),
        (ends, times) => {
          const buckets = createExpiryBuckets<number>();
          const releasedKeys = new Set<number>();
          ends.forEach((end, key) => buckets.add(key, end));
          for (const now of times.toSorted((left, right) => left - right)) {
            buckets.expire(now, (key) => {
              expect(releasedKeys.has(key)).to.equal(false);
              expect(ends[key]).to.be.below(now);
              releasedKeys.add(key);
            });
            ends.forEach((end, key) => {
              if (end + HOUR <= now) expect(releasedKeys.has(key)).to.equal(true);
            });
          }
        },
      ),
    );
  });

  it('release a key that is added after it has expired and its bucket has been released', () => {
    const buckets = createExpiryBuckets<string>();
    const releasedKeys: string[] = [];
    buckets.add('first', 10);
    buckets.expire(2 * HOUR, (key) => releasedKeys.push(key));
    buckets.add('late', 20);
    buckets.expire(2 * HOUR, (key) => releasedKeys.push(key));
    expect(releasedKeys).to.deep.equal(['first', 'late']);
  });
});
