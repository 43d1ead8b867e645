import { createHash } from 'node:crypto';
import type { Entropy } from '../../src/platform/ports.ts';

const BLOCK_BYTES = 32;

/** Derives all bytes from a seed, so that a failing run can be repeated. */
export function seededEntropy(seed: string | number): Entropy {
  let block = 0;
  let unusedBytes = Buffer.alloc(0);
  return {
    bytes(length) {
      const blocks = [unusedBytes];
      for (let missing = length - unusedBytes.length; missing > 0; missing -= BLOCK_BYTES) {
        blocks.push(
          createHash('sha256')
            .update(`${seed}:${(block += 1)}`)
            .digest(),
        );
      }
      const bytes = Buffer.concat(blocks); // only once, because every concatenation copies all bytes
      unusedBytes = bytes.subarray(length);
      return Buffer.from(bytes.subarray(0, length));
    },
  };
}
