import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { UserId } from '../domain/values.ts';
import type { Entropy } from '../ports.ts';
import type { SealedData } from '../projections/sealed-data.ts';
import type { PersonalKeys } from '../storage/personal-keys.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals personal data under a key of its user's own, so that the log's bytes outlive what they said. */
export interface Vault {
  /** Makes the key of a user about to be registered; durable before the event that needs it. */
  admit(userId: UserId): void;
  /** @throws Error the user has no key */
  seal(userId: UserId, data: SealedData): string;
  /** Undefined once the user is erased. @throws Error the seal was tampered with */
  unseal(userId: UserId, sealed: string): SealedData | undefined;
  /** Like `unseal`, but also undefined if the key or the seal is damaged, so that one account cannot stop a start. */
  read(userId: UserId, sealed: string): SealedData | undefined;
  erase(userId: UserId): void;
}

/** @param mustHaveSpace throws an error if no key can be stored now, because the event that needs it could not be */
export function createVault(keys: PersonalKeys, entropy: Entropy, mustHaveSpace: () => void = () => {}): Vault {
  const vault: Vault = {
    admit(userId) {
      mustHaveSpace();
      keys.keep(userId, entropy.bytes(KEY_BYTES));
    },

    seal(userId, data) {
      const key = keys.find(userId);
      if (key === undefined) throw new Error(`user ${userId} has no key to seal personal data with`);
      const iv = entropy.bytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(userId));
      const text = Buffer.concat([cipher.update(JSON.stringify(data), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64url');
    },

    unseal(userId, sealed) {
      const key = keys.find(userId);
      if (key === undefined) return undefined;
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(userId));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as SealedData;
    },

    read(userId, sealed) {
      try {
        return vault.unseal(userId, sealed);
      } catch {
        return undefined;
      }
    },

    erase: (userId) => keys.destroy(userId),
  };
  return vault;
}
