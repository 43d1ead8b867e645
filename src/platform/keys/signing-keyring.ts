import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { KeyId } from '../../domain/values.ts';
import type { Entropy } from '../ports.ts';
import { keyringKind, type Keyring } from './keyring.ts';
import { seal, unseal } from './seals.ts';

/** The private halves of signing keys, encrypted. The log contains their public halves. */
export type SigningKeyring = Keyring<KeyId>;

export const SIGNING_KEYS = keyringKind<KeyId>('signing');

/** Encrypts private keys for the keyring, so that nobody can sign anything with a copy of the keyring alone. */
export interface SigningVault {
  /** The location of the keys, for messages. */
  readonly location: string;
  /**
   * Durably stores a private key.
   * @throws Error if there is not enough disk space
   */
  store(kid: KeyId, privateKey: KeyObject): Promise<void>;
  /** Returns a private key, or the reason why it is unavailable. */
  find(kid: KeyId): KeyObject | 'missing' | 'damaged';
  /** Destroys a private key. Idempotent. */
  destroy(kid: KeyId): Promise<void>;
}

const sealContext = (kid: KeyId): string => `signing key ${kid}`;

/**
 * Creates a vault that keeps private keys in `keyring`.
 * @param key encrypts private keys
 * @param requireSpace throws if there is not enough disk space for a new key
 */
export function createSigningVault(
  keyring: SigningKeyring,
  key: KeyObject,
  entropy: Entropy,
  requireSpace: () => void = () => {},
): SigningVault {
  const sealKey = key.export();
  return {
    location: keyring.location,
    async store(kid, privateKey) {
      requireSpace();
      const text = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
      await keyring.add(kid, Buffer.from(seal(text, sealKey, sealContext(kid), entropy), 'base64url'));
    },
    find(kid) {
      const sealedKey = keyring.find(kid);
      if (sealedKey === undefined) return 'missing';
      try {
        const text = unseal(sealedKey.toString('base64url'), sealKey, sealContext(kid));
        return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
      } catch {
        return 'damaged'; // or the key that encrypted it has been replaced
      }
    },
    destroy: (kid) => keyring.destroy(kid),
  };
}
