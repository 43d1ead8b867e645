import type { UserId } from '../domain/values.ts';
import type { Entropy } from '../platform/ports.ts';
import type { SealedData } from '../projections/sealed-data.ts';
import { seal, SEAL_KEY_BYTES, unseal } from '../platform/keys/seals.ts';
import type { PersonalKeys } from '../platform/keys/personal-keys.ts';

/**
 * Encrypts personal data under a separate key for each user. Destroying the key erases the data, although its
 * ciphertext remains in the log.
 */
export interface Vault {
  /** Creates the key for a new user. The key is durable before the event that needs it is appended. */
  createKey(userId: UserId): Promise<void>;
  /**
   * Encrypts the data.
   * @throws Error if the user has no key
   */
  seal(userId: UserId, data: SealedData): string;
  /** Like `seal`, but returns undefined if the user has no key, because the user has just been erased. */
  trySeal(userId: UserId, data: SealedData): string | undefined;
  /**
   * Decrypts the data. Returns undefined once the user has been erased.
   * @throws Error if the data was tampered with
   */
  unseal(userId: UserId, sealed: string): SealedData | undefined;
  /**
   * Like `unseal`, but also returns undefined if the key or the data is damaged, because one account must not prevent
   * startup.
   */
  tryUnseal(userId: UserId, sealed: string): SealedData | undefined;
  /** Destroys the user's key. Resolves to false if it could not be removed from the disk yet. */
  erase(userId: UserId): Promise<boolean>;
}

/** @param requireSpace throws an error if the disk has no space for a key and the event that needs it */
export function createVault(keys: PersonalKeys, entropy: Entropy, requireSpace: () => void = () => {}): Vault {
  const vault: Vault = {
    async createKey(userId) {
      requireSpace();
      await keys.add(userId, entropy.bytes(SEAL_KEY_BYTES));
    },

    seal(userId, data) {
      const key = keys.find(userId);
      if (key === undefined) throw new Error(`user ${userId} has no key to encrypt personal data with`);
      return seal(JSON.stringify(data), key, userId, entropy);
    },

    trySeal: (userId, data) => (keys.find(userId) === undefined ? undefined : vault.seal(userId, data)),

    unseal(userId, sealed) {
      const key = keys.find(userId);
      return key === undefined ? undefined : (JSON.parse(unseal(sealed, key, userId)) as SealedData);
    },

    tryUnseal(userId, sealed) {
      try {
        return vault.unseal(userId, sealed);
      } catch {
        return undefined;
      }
    },

    async erase(userId) {
      await keys.destroy(userId);
      return true;
    },
  };
  return vault;
}
