import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { crc32 } from '../../../src/oauth/credentials/crc32.ts';
import { hmacSha256 } from '../../../src/oauth/credentials/hmac.ts';
import { systemEntropy } from '../../../src/platform/ports.ts';
import type { Pair } from './pair.ts';

/** Returns the comparisons for generating and checking credentials. */
export function credentialPairs(): readonly Pair[] {
  const entropy = systemEntropy();
  const key = createSecretKey(randomBytes(32));
  const composedHmac = hmacSha256(key);
  const token = `gla_${'x'.repeat(43)}`;
  return [
    {
      name: 'random bytes: pool vs. randomBytes',
      file: 'platform/ports.ts',
      optimized: () => entropy.bytes(32),
      baseline: () => randomBytes(32),
    },
    {
      name: 'HMAC of a refresh token: two one-shot hashes vs. createHmac',
      file: 'oauth/credentials/hmac.ts',
      optimized: () => composedHmac(token),
      baseline: () => createHmac('sha256', key).update(token).digest('base64url'),
    },
    {
      name: 'CRC-32: JavaScript vs. node:zlib',
      file: 'oauth/credentials/crc32.ts',
      optimized: () => crc32(token),
      baseline: () => zlibCrc32(token),
    },
  ];
}
