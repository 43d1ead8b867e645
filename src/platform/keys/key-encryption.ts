import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Entropy } from '../ports.ts';

/** Encrypts keys that are stored in a database. Each key's name is authenticated, so that rows cannot be swapped. */
export interface KeyEncryption {
  encrypt(key: Buffer, name: string): Buffer;
  /** Returns undefined if no secret decrypts `value`. `isCurrent` is false if only an older secret does. */
  decrypt(value: Buffer, name: string): { readonly key: Buffer; readonly isCurrent: boolean } | undefined;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM and random nonces, which is safe for up to 2^32 keys per secret (NIST SP 800-38D, section
 * 8.3).
 */
export function createKeyEncryption(secrets: readonly Buffer[], entropy: Entropy): KeyEncryption {
  const [current, ...previous] = secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'grantlog keys in a database', KEY_BYTES)),
  );
  if (current === undefined) throw new Error('expected at least one secret to encrypt keys with');

  return {
    encrypt(key, name) {
      const iv = entropy.bytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, current, iv).setAAD(Buffer.from(name));
      return Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
    },

    decrypt(value, name) {
      for (const encryptionKey of [current, ...previous]) {
        const key = decryptWith(encryptionKey, value, name);
        if (key !== undefined) return { key, isCurrent: encryptionKey === current };
      }
      return undefined;
    },
  };
}

function decryptWith(encryptionKey: Buffer, value: Buffer, name: string): Buffer | undefined {
  if (value.length <= IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, encryptionKey, value.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(name)).setAuthTag(value.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(value.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined; // damaged, or encrypted under a different secret or name
  }
}
