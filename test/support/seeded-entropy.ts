import { createHash } from 'node:crypto';
import type { Entropy } from '../../src/platform/ports.ts';

const BLOCK_BYTES = 32;

/** Derives bytes from a seed, so that a failing run can be repeated. */
export function seededEntropy(seed: string | number): Entropy {
  let block = 0;
  let rest = Buffer.alloc(0);
  return {
    bytes(length) {
      const pieces = [rest];
      for (let missing = length - rest.length; missing > 0; missing -= BLOCK_BYTES) {
        pieces.push(
          createHash('sha256')
            .update(`${seed}:${(block += 1)}`)
            .digest(),
        );
      }
      const bytes = Buffer.concat(pieces); // only once, because each concatenation copies all bytes
      rest = bytes.subarray(length);
      return Buffer.from(bytes.subarray(0, length));
    },
  };
}
