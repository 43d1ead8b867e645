import type { KeyObject } from 'node:crypto';
import type { KeyId } from '../../domain/values.ts';
import type { SigningVault } from '../../platform/keys/signing-keyring.ts';
import type { SigningKey } from '../../projections/signing-keys.ts';
import { isKeyPair } from './public-keys.ts';

/** The private keys that belong to the recorded keys. */
export interface PrivateKeys {
  /**
   * Returns the private key, or undefined if it is missing or damaged. Notifies the operator once about each lost key.
   */
  find(key: SigningKey): KeyObject | undefined;
  /** Returns why there is no private key, or undefined if there is one. */
  problem(key: SigningKey): 'missing' | 'damaged' | undefined;
  /** Destroys the private key of a retired key. Idempotent. */
  destroy(kid: KeyId): Promise<void>;
}

/** @param notice receives a line for the operator about each lost key */
export function createPrivateKeys(vault: SigningVault, notice: (line: string) => void): PrivateKeys {
  const loadedKeys = new Map<KeyId, KeyObject>();
  const reportedIds = new Set<KeyId>();

  function load({ kid, publicKey }: SigningKey): KeyObject | 'missing' | 'damaged' {
    const loadedKey = loadedKeys.get(kid);
    if (loadedKey !== undefined) return loadedKey;
    const storedKey = vault.find(kid);
    if (typeof storedKey === 'string') return storedKey;
    if (!isKeyPair(storedKey, publicKey)) return 'damaged';
    loadedKeys.set(kid, storedKey);
    return storedKey;
  }

  return {
    find(key) {
      const result = load(key);
      if (typeof result !== 'string') return result;
      if (!reportedIds.has(key.kid)) {
        reportedIds.add(key.kid);
        notice(
          `the private key of signing key ${key.kid} (${key.algorithm}) in ${vault.location} is ${result}; ` +
            'a new key is being introduced to replace it. ' +
            'Tokens signed with the lost key stay valid. See: grantlog key list',
        );
      }
      return undefined;
    },
    problem(key) {
      const result = load(key);
      return typeof result === 'string' ? result : undefined;
    },
    async destroy(kid) {
      loadedKeys.delete(kid);
      if (vault.find(kid) !== 'missing') await vault.destroy(kid);
    },
  };
}
