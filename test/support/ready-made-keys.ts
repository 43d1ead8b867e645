import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SigningAlgorithm } from '../../src/domain/values.ts';
import { generateSigningKey, type GenerateSigningKey } from '../../src/platform/keys/key-pairs.ts';

const STORED = JSON.parse(readFileSync(join(import.meta.dirname, 'ready-made-keys.json'), 'utf8')) as Readonly<
  Record<SigningAlgorithm, readonly string[]>
>;

/**
 * Returns a function that returns prepared signing keys, always in the same order, because RSA keys are slow to
 * generate. When the keys of an algorithm are used up, it generates more. Servers that share a log share the function,
 * because their keys must differ.
 */
export function readyMadeKeys(): GenerateSigningKey {
  const next = new Map<SigningAlgorithm, number>();
  return async (algorithm) => {
    const index = next.get(algorithm) ?? 0;
    next.set(algorithm, index + 1);
    const readyMadeKey = STORED[algorithm][index];
    if (readyMadeKey === undefined) return generateSigningKey(algorithm);
    return createPrivateKey({ key: Buffer.from(readyMadeKey, 'base64'), format: 'der', type: 'pkcs8' });
  };
}
