/**
 * Secret keys by id. They are stored outside the log, so that each key can be destroyed. Several processes can share
 * them.
 */
export interface Keyring<Id extends string> {
  /** Where the keys are stored, for messages; for example, the path of a file. */
  readonly location: string;
  /** How to restore missing keys, for messages. */
  readonly advice: string;
  /** Returns undefined if there is no key. Changes by other processes are visible after `refresh` at the latest. */
  find(id: Id): Buffer | undefined;
  /** Returns the ids that have a key, including ids for which no event was ever written. */
  ids(): readonly Id[];
  /**
   * Durably adds a key for an id that has none.
   * @returns the stored key, which is not `key` if another process added one first
   */
  add(id: Id, key: Buffer): Promise<Buffer>;
  /**
   * Destroys a key, which makes everything encrypted under it unreadable. Idempotent. `find` stops returning the key
   * immediately.
   * @throws Error if the change could not be written, in which case the call must be repeated
   */
  destroy(id: Id): Promise<void>;
  /** Reads the changes made by other processes. */
  refresh(): Promise<void>;
  /** Returns the numbers of the damaged lines in the file, starting at 1. Their ids are uncertain. */
  damagedLines(): readonly number[];
  /** Removes the damaged lines, because one of them may contain a key that must be destroyed. */
  dropDamagedLines(): Promise<void>;
}

/** A kind of keyring. A store has one keyring of each kind. */
export interface KeyringKind<Id extends string = string> {
  readonly name: 'users' | 'clients' | 'signing';
  /** The name of its file in a key directory. */
  readonly file: string;
  /** Creates a keyring that is not stored, for a log in memory. */
  inMemory(): Keyring<Id>;
}

export function keyringKind<Id extends string>(name: KeyringKind['name']): KeyringKind<Id> {
  return { name, file: `${name}.keys`, inMemory: memoryKeyring };
}

function memoryKeyring<Id extends string>(): Keyring<Id> {
  const keys = new Map<Id, Buffer>();
  return {
    location: 'memory',
    advice: '',
    find: (id) => keys.get(id),
    ids: () => [...keys.keys()],
    async add(id, key) {
      const storedKey = keys.get(id) ?? key;
      keys.set(id, storedKey);
      return storedKey;
    },
    async destroy(id) {
      keys.delete(id);
    },
    refresh: async () => {},
    damagedLines: () => [],
    dropDamagedLines: async () => {},
  };
}
