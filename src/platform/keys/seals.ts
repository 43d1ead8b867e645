import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Entropy } from '../ports.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export const SEAL_KEY_BYTES = 32;

/**
 * Encrypts `text` under `key` with AES-256-GCM and a random nonce. Returns base64url.
 * @param context authenticated data (AAD): decryption needs the same context
 */
export function seal(text: string, key: Buffer, context: string, entropy: Entropy): string {
  return sealBytes(Buffer.from(text), key, context, entropy);
}

/** Like `seal`, for bytes. */
export function sealBytes(bytes: Buffer, key: Buffer, context: string, entropy: Entropy): string {
  const iv = entropy.bytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64url');
}

/**
 * Decrypts the result of `seal`.
 * @throws Error if it is damaged, or was encrypted under a different key or context
 */
export function unseal(sealedText: string, key: Buffer, context: string): string {
  return unsealBytes(sealedText, key, context).toString('utf8');
}

/** Like `unseal`, for bytes. */
export function unsealBytes(sealedText: string, key: Buffer, context: string): Buffer {
  const bytes = Buffer.from(sealedText, 'base64url');
  // Without a required length, shorter tags, which are easier to guess, would be accepted.
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}
