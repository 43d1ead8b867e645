import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { SigningAlgorithm } from '../../domain/values.ts';

/** Generates a private key for an algorithm. The private key contains the public key. */
export type GenerateSigningKey = (algorithm: SigningAlgorithm) => Promise<KeyObject>;

/** The minimum that RFC 7518 §3.3 requires. Larger keys make signatures several times slower. */
const RSA_BITS = 2048;

const generate = promisify(generateKeyPair);

const GENERATORS: Readonly<Record<SigningAlgorithm, () => Promise<{ readonly privateKey: KeyObject }>>> = {
  RS256: () => generate('rsa', { modulusLength: RSA_BITS }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
  PS256: () => generate('rsa', { modulusLength: RSA_BITS }),
  EdDSA: () => generate('ed25519'),
};

/** Runs in the thread pool, because generating an RSA key takes a few hundred milliseconds. */
export const generateSigningKey: GenerateSigningKey = async (algorithm) => (await GENERATORS[algorithm]()).privateKey;
