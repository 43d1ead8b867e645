import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { PublicKey } from '../../domain/public-key.ts';
import type { KeyId, SigningAlgorithm } from '../../domain/values.ts';

/** RFC 7517 §4: a public key in the key set. */
export type PublishedKey = PublicKey & {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly use: 'sig';
};

/**
 * Returns the public key that belongs to the private key, and its id. The id is the thumbprint (RFC 7638 §3), so two
 * different keys never share an id.
 */
export async function publicKeyWithId(
  privateKey: KeyObject,
): Promise<{ readonly kid: KeyId; readonly publicKey: PublicKey }> {
  // For every kind of key that this server generates, the export has exactly the members of PublicKey.
  const publicKey = createPublicKey(privateKey).export({ format: 'jwk' }) as PublicKey;
  return { kid: await thumbprintOf(publicKey), publicKey };
}

/** Returns the thumbprint of a key (RFC 7638 §3), which depends only on the required members of the JWK. */
export async function thumbprintOf(publicKey: PublicKey): Promise<KeyId> {
  return (await calculateJwkThumbprint(publicKey)) as KeyId;
}

/** Reports whether the keys form a pair. */
export function isKeyPair(privateKey: KeyObject, publicKey: PublicKey): boolean {
  return createPublicKey(privateKey).equals(publicKeyObject(publicKey));
}

/** Returns the public key as a `KeyObject`. */
export function publicKeyObject(publicKey: PublicKey): KeyObject {
  return createPublicKey({ key: { ...publicKey }, format: 'jwk' });
}
