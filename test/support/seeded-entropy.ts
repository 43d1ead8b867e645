import { createHash } from 'node:crypto';
import type { Entropy } from '../../src/ports.ts';

/** Bytes that follow from the seed: a failing run can be run again. */
export function seededEntropy(seed: string | number): Entropy {
  let block = 0;
  let rest = Buffer.alloc(0);
  return {
    bytes(length) {
      while (rest.length < length) {
        rest = Buffer.concat([rest, createHash('sha256').update(`${seed}:${(block += 1)}`).digest()]);
      }
      const drawn = Buffer.from(rest.subarray(0, length));
      rest = rest.subarray(length);
      return drawn;
    },
  };
}
