import type { Entropy } from '../ports.ts';
import type { Keyring, KeyringKind } from './keyring.ts';
import type { KeyName, Keys, KeyTexts } from './keys.ts';
import type { PreviousCookieKey } from './previous-cookie-keys.ts';

/** The directory or database that stores the keys. All nodes that share a log also share a key store. */
export interface KeyStore {
  /** The location, for messages. */
  readonly location: string;
  /**
   * Opens the server's keys, and generates those that are legitimately missing. The new keys are durable when the
   * promise resolves. Nodes that start simultaneously get the same keys.
   * @throws Error before writing anything if a key is damaged, or is missing even though it has been used
   */
  open(entropy: Entropy, history: KeyHistory): Promise<StoredKeys>;
  /** Reads the log key, and derives the attestation key. Returns undefined if the key is missing or damaged. */
  logKeys(): Promise<Pick<Keys, 'log' | 'attestation'> | undefined>;
  /** Finds keys that are damaged, or that are missing even though they have been used. Writes nothing. */
  findUnusable(history: KeyHistory): Promise<readonly UnusableKey[]>;
  /**
   * Durably replaces a damaged or missing key with a new one.
   * @param quarantine the directory that a damaged file is moved to
   * @returns the files that were moved
   */
  replace(name: KeyName, entropy: Entropy, quarantine: string): Promise<readonly string[]>;
  /**
   * Durably replaces an intact key with a new one. Nodes reload the cookie key on their own; a new refresh key takes
   * effect when a node starts.
   * @throws Error if the maximum number of previous cookie keys is already accepted
   */
  rotate(name: RotatableKey, entropy: Entropy, options: Rotation): Promise<void>;
  /** Durably drops all previous cookie keys, so that they are no longer accepted. Idempotent. */
  dropPreviousCookieKeys(): Promise<void>;
  /** Reads the secrets of the server's keys, except those of missing or damaged keys. */
  texts(): Promise<Partial<KeyTexts>>;
  /** Reads the previous cookie keys that are still accepted, newest first. */
  previousCookieKeys(): Promise<readonly PreviousCookieKey[]>;
  keyring<Id extends string>(kind: KeyringKind<Id>): Promise<Keyring<Id>>;
  /** Durably writes the keys in a backup to a store without keys. */
  restore(contents: KeyContents): Promise<void>;
}

interface Rotation {
  /** Whether the replaced cookie key and all earlier ones remain accepted. */
  readonly keepPrevious: boolean;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** The keys that an operator can replace even if they are undamaged. */
type RotatableKey = Extract<KeyName, 'cookies' | 'refresh'>;

/** All keys in a store, except the previous cookie keys. */
export interface KeyContents {
  readonly server: KeyTexts;
  readonly keyrings: readonly (readonly [kind: Pick<KeyringKind, 'name' | 'file'>, keys: readonly KeyEntry[]])[];
}

type KeyEntry = readonly [id: string, key: Buffer];

/** Facts that determine whether a key may legitimately be missing. A key that has been used must not be regenerated. */
export interface KeyHistory {
  /** Whether no key has been used yet. */
  readonly isNew: boolean;
  /** Whether there is no evidence that the log has ever had a key. The first releases had none. */
  readonly mayPredateLogKey: boolean;
}

export interface UnusableKey {
  readonly name: KeyName;
  readonly problem: 'damaged' | 'missing';
}

/** The server's keys, as read from a store. */
export interface StoredKeys extends Keys {
  /** Whether some of the keys were written by an earlier release, without checksums. */
  readonly needsUpgrade: boolean;
  /** Durably adds the checksums; each key is changed atomically. */
  upgrade(): Promise<void>;
}
