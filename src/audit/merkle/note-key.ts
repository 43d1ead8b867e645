import { createPublicKey, hash, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { decodeBase64 } from './base64.ts';
import { MalformedError } from './malformed.ts';

/** An Ed25519 key for signed notes (C2SP signed-note), identified by its name and id. */
interface NoteKey {
  readonly name: string;
  /** The first four bytes of the SHA-256 hash of the name, the algorithm and the public key, in hexadecimal. */
  readonly keyId: string;
}

export interface NoteSigner extends NoteKey {
  /** The name, id and public key, as `<name>+<key id>+<base64>`. */
  readonly verifierKey: string;
  sign(text: string): Buffer;
}

export interface NoteVerifier extends NoteKey {
  verify(text: string, signature: Uint8Array): boolean;
}

const ED25519 = 0x01;
const PUBLIC_KEY_BYTES = 32;
const KEY_ID_DIGITS = 8;

/**
 * Creates a signer for notes.
 * @throws RangeError if `name` is not a valid key name
 * @throws TypeError if `privateKey` is not an Ed25519 private key
 */
export function createNoteSigner(name: string, privateKey: KeyObject): NoteSigner {
  if (!isKeyName(name))
    throw new RangeError(
      `${JSON.stringify(name)} is not a valid key name: it must not be empty or contain whitespace, control ` +
        'characters, plus signs or lone surrogates',
    );
  if (privateKey.type !== 'private' || privateKey.asymmetricKeyType !== 'ed25519')
    throw new TypeError('notes must be signed with an Ed25519 private key');
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const typedKey = Buffer.concat([Buffer.of(ED25519), Buffer.from(x, 'base64url')]);
  const keyId = computeKeyId(name, typedKey);
  return {
    name,
    keyId,
    verifierKey: `${name}+${keyId}+${typedKey.toString('base64')}`,
    sign: (text) => sign(null, Buffer.from(text), privateKey),
  };
}

/**
 * Parses a verifier key.
 * @throws MalformedError if the name is invalid, the key is not an Ed25519 key, or the id is wrong
 */
export function parseVerifierKey(verifierKey: string): NoteVerifier {
  const [name = '', keyId = '', ...rest] = verifierKey.split('+');
  const typedKey = decodeBase64(rest.join('+')); // base64 may contain plus signs
  if (!isKeyName(name)) throw new MalformedError('the name in the verifier key is not valid');
  if (typedKey === undefined) throw new MalformedError('the public key in the verifier key is not base64');
  if (typedKey[0] !== ED25519 || typedKey.length !== 1 + PUBLIC_KEY_BYTES)
    throw new MalformedError('the verifier key is not an Ed25519 key');
  if (keyId !== computeKeyId(name, typedKey))
    throw new MalformedError('the key id in the verifier key does not match its name and public key');
  const publicKey = toPublicKey(typedKey.subarray(1));
  return { name, keyId, verify: (text, signature) => verify(null, Buffer.from(text), publicKey, signature) };
}

/**
 * Returns the verifier key for the same public key under a different name.
 * @throws MalformedError if the public key is not base64
 */
export function renameVerifierKey(verifierKey: string, name: string): string {
  const typedKey = decodeBase64(verifierKey.split('+').slice(2).join('+'));
  if (typedKey === undefined) throw new MalformedError('the public key in the verifier key is not base64');
  return `${name}+${computeKeyId(name, typedKey)}+${typedKey.toString('base64')}`;
}

/**
 * Reports whether the name is valid: not empty, and without whitespace, control characters, plus signs or lone
 * surrogates.
 */
export function isKeyName(name: string): boolean {
  return /^[^\s+\p{Cc}\p{Cs}]+$/u.test(name);
}

function computeKeyId(name: string, typedKey: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typedKey]), 'hex').slice(0, KEY_ID_DIGITS);
}

function toPublicKey(bytes: Buffer): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') } });
}
