import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import type { ClientKeyPair } from './assertions.ts';

/** The bytes that precede the seed of an Ed25519 key in PKCS #8 (RFC 8410 §7). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Generates a key pair for ES256 or EdDSA. */
export const aKeyPair: fc.Arbitrary<ClientKeyPair & { readonly alg: 'ES256' | 'EdDSA' }> = fc
  .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constantFrom('ES256', 'EdDSA'))
  .map(([seed, alg]) => {
    const privateKey = alg === 'ES256' ? p256Key(seed) : ed25519Key(seed);
    return { alg, privateKey, jwk: { ...createPublicKey(privateKey).export({ format: 'jwk' }) } };
  });

/** Creates a P-256 key from a seed, which is adjusted to a valid scalar: not 0, and below the order of the curve. */
function p256Key(seed: Uint8Array): KeyObject {
  const scalar = Buffer.from(seed);
  scalar[0] = (scalar[0] ?? 0) & 0x7f;
  scalar[31] = (scalar[31] ?? 0) | 1;
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(scalar);
  const point = curve.getPublicKey();
  const encode = (bytes: Buffer): string => bytes.toString('base64url');
  const publicKey = { kty: 'EC', crv: 'P-256', x: encode(point.subarray(1, 33)), y: encode(point.subarray(33)) };
  return createPrivateKey({ key: { ...publicKey, d: encode(scalar) }, format: 'jwk' });
}

function ed25519Key(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}
