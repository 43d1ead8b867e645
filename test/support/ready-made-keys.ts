import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SigningAlgorithm } from '../../src/domain/values.ts';
import { generateSigningKey, type GenerateSigningKey } from '../../src/platform/keys/key-pairs.ts';

const STORED_KEYS = JSON.parse(readFileSync(join(import.meta.dirname, 'ready-made-keys.json'), 'utf8')) as Readonly<
  Record<SigningAlgorithm, readonly string[]>
>;

/**
 * Creates a source of pregenerated signing keys, always in the same order, because RSA keys are slow to generate. After
 * the last stored key of an algorithm, it generates new ones. Servers that share a log must share one source, because
 * their keys must differ.
 */
export function readyMadeKeys(): GenerateSigningKey {
  const nextIndexes = new Map<SigningAlgorithm, number>();
  return async (algorithm) => {
    const index = nextIndexes.get(algorithm) ?? 0;
    nextIndexes.set(algorithm, index + 1);
    const readyMadeKey = STORED_KEYS[algorithm][index];
    if (readyMadeKey === undefined) return generateSigningKey(algorithm);
    return createPrivateKey({ key: Buffer.from(readyMadeKey, 'base64'), format: 'der', type: 'pkcs8' });
  };
}
