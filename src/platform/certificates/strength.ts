import type { KeyObject } from 'node:crypto';
import { message, type Text } from '../../language/message.ts';
import { readObjectIdentifier, readValue, readValues, TAG, type DerValue } from './der.ts';

/** A key of this size has a strength of 112 bits (NIST SP 800-57), the minimum for all keys on this server. */
const MIN_RSA_BITS = 2_048;
/** With an exponent of 1, anyone can forge signatures. */
const MIN_RSA_EXPONENT = 3n;
const CURVES: readonly string[] = [
  'prime256v1',
  'secp256k1',
  'secp384r1',
  'secp521r1',
  'brainpoolP256r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
];

/** Returns the key's weakness, such as `1024-bit RSA`, or null if the key is strong. */
export function keyWeakness({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject): Text | null {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = 'unknown' } = asymmetricKeyDetails ?? {};
  if (type === 'rsa' || type === 'rsa-pss') {
    if (modulusLength < MIN_RSA_BITS) return message('weakness.bits', { bits: modulusLength });
    return publicExponent < MIN_RSA_EXPONENT
      ? message('weakness.exponent', { exponent: String(publicExponent) })
      : null;
  }
  if (type === 'ec') return CURVES.includes(namedCurve) ? null : message('weakness.curve', { curve: namedCurve });
  return type === 'ed25519' || type === 'ed448' ? null : message('weakness.kind', { kind: String(type) });
}

/** RSA and ECDSA with SHA-256, SHA-384 or SHA-512, and Ed25519 and Ed448. */
const STRONG_SIGNATURES: readonly string[] = [
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.3.101.112',
  '1.3.101.113',
];
const RSA_PSS = '1.2.840.113549.1.1.10';
const SHA2: readonly string[] = ['2.16.840.1.101.3.4.2.1', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3'];
/** RFC 4055 §3.1: the first parameter of RSA-PSS is the hash; without it, SHA-1 is used. */
const HASH_PARAMETER = 0xa0;
const SHA1 = '1.3.14.3.2.26';
const NAMES: Readonly<Record<string, Text>> = {
  '1.2.840.113549.1.1.4': algorithmName('MD5', 'RSA'),
  '1.2.840.113549.1.1.5': algorithmName('SHA-1', 'RSA'),
  '1.2.840.10045.4.1': algorithmName('SHA-1', 'ECDSA'),
  '1.2.840.10040.4.3': algorithmName('SHA-1', 'DSA'),
  [SHA1]: algorithmName('SHA-1', 'RSA-PSS'),
};

/**
 * Returns the name or object identifier of a signature algorithm that is too weak or unknown, or null if it is strong.
 * @param algorithm an AlgorithmIdentifier (RFC 5280 §4.1.1.2)
 * @throws MalformedDerError
 */
export function signatureWeakness(algorithm: DerValue | undefined): Text | null {
  const [id, parameters] = readValues(algorithm?.content ?? Buffer.alloc(0));
  const signature = readIdentifier(id);
  if (signature !== RSA_PSS) return STRONG_SIGNATURES.includes(signature) ? null : (NAMES[signature] ?? signature);
  const hash = signatureHash(parameters);
  return SHA2.includes(hash) ? null : (NAMES[hash] ?? hash);
}

function algorithmName(hash: string, algorithm: string): Text {
  return message('weakness.signature', { hash, algorithm });
}

function signatureHash(parameters: DerValue | undefined): string {
  const hash = readValues(parameters?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === HASH_PARAMETER);
  return hash === undefined ? SHA1 : readIdentifier(readValues(readValue(hash.content, TAG.sequence))[0]);
}

function readIdentifier(value: DerValue | undefined): string {
  return readObjectIdentifier(value?.content ?? Buffer.alloc(0));
}
