import type { SealedSecretHash, SecretHash, SecretSealPurpose } from '../../domain/events.ts';
import type { ClientId } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { OpenSecret } from '../../projections/client-secrets.ts';
import { seal, SEAL_KEY_BYTES, unseal } from '../../platform/keys/seals.ts';
import type { ClientKeys } from '../../platform/keys/client-keys.ts';

/**
 * Encrypts the hash of each imported client secret under the client's own key. Imported secrets may be weak, and anyone
 * who reads the log could otherwise test guesses against their hashes. The same keys encrypt the authorization details
 * of clients that act on their own behalf.
 */
export interface SecretVault {
  /**
   * Encrypts the hash of a secret. Creates the client's key if it has none. The key is durable when the promise
   * resolves, before the event that needs it is appended.
   */
  seal(clientId: ClientId, purpose: SecretSealPurpose, hash: SecretHash): Promise<SealedSecretHash>;
  /**
   * Encrypts an authorization detail of a client that acts on its own behalf. Like `seal`, it creates the client's key
   * on first use.
   */
  sealDetail(clientId: ClientId, json: string): Promise<string>;
  /** Returns an authorization detail as JSON, or undefined if the key is missing or cannot decrypt it. */
  openDetail(clientId: ClientId, sealedDetail: string): string | undefined;
  /**
   * Returns the hash, or undefined if the key is missing or cannot decrypt it: a problem with one client must not
   * prevent the server from starting.
   */
  readonly open: OpenSecret;
  /**
   * Destroys the client's key, so that everything sealed for the client becomes unreadable. Idempotent. Resolves to
   * false if the key could not be removed from the disk yet.
   */
  destroy(clientId: ClientId): Promise<boolean>;
}

/** @param assertSpace throws an error if the disk has no space for a key and the event that needs it */
export function createSecretVault(keys: ClientKeys, entropy: Entropy, assertSpace: () => void = () => {}): SecretVault {
  /**
   * Returns the client's key, and creates it if necessary. A key that a crash left without an event is reused,
   * because two registrations of the same id must not create two keys.
   */
  async function findOrCreateKey(clientId: ClientId): Promise<Buffer> {
    const existingKey = keys.find(clientId);
    if (existingKey !== undefined) return existingKey;
    assertSpace();
    return keys.add(clientId, entropy.bytes(SEAL_KEY_BYTES));
  }

  return {
    async seal(clientId, purpose, hash) {
      const key = await findOrCreateKey(clientId);
      const sealed = seal(JSON.stringify(hash), key, sealContext(clientId, purpose), entropy);
      return { algorithm: 'sealed', sealed };
    },

    async sealDetail(clientId, json) {
      return seal(json, await findOrCreateKey(clientId), detailContext(clientId), entropy);
    },

    openDetail(clientId, sealedDetail) {
      const key = keys.find(clientId);
      if (key === undefined) return undefined;
      try {
        return unseal(sealedDetail, key, detailContext(clientId));
      } catch {
        return undefined;
      }
    },

    open(clientId, purpose, sealed) {
      const key = keys.find(clientId);
      if (key === undefined) return undefined;
      try {
        return JSON.parse(unseal(sealed, key, sealContext(clientId, purpose))) as SecretHash;
      } catch {
        return undefined;
      }
    },

    async destroy(clientId) {
      await keys.destroy(clientId);
      return true;
    },
  };
}

const detailContext = (clientId: ClientId): string => `authorization detail ${clientId}`;

/** Returns the context that binds a seal to its client and event type. */
function sealContext(clientId: ClientId, purpose: SecretSealPurpose): string {
  return `client-secret ${purpose} ${clientId}`;
}
