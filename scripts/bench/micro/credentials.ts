import { randomBytes } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { crc32 } from '../../../src/oauth/credentials/crc32.ts';
import { systemEntropy } from '../../../src/platform/ports.ts';
import type { Pair } from './pair.ts';

/** The comparisons for generating and checking credentials. */
export function credentialPairs(): readonly Pair[] {
  const entropy = systemEntropy();
  const token = `gla_${'x'.repeat(43)}`;
  return [
    {
      name: 'random bytes: pool; randomBytes',
      file: 'platform/ports.ts',
      unusual: () => entropy.bytes(32),
      plain: () => randomBytes(32),
    },
    {
      name: 'CRC-32: JavaScript; node:zlib',
      file: 'oauth/credentials/crc32.ts',
      unusual: () => crc32(token),
      plain: () => zlibCrc32(token),
    },
  ];
}
