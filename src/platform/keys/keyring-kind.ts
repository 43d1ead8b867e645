import { join } from 'node:path';
import { makePrivateDirectory } from '../files/private-files.ts';
import { openFileKeyring, writeKeyring } from './file-keyring.ts';
import type { Keyring } from './keyring.ts';

/** A kind of keyring. Each key directory has one file for each kind. */
export interface KeyringKind<Id extends string> {
  /** The name of the file. */
  readonly file: string;
  inMemory(): Keyring<Id>;
  /** Opens the keyring in `directory`, which is created if it is missing. */
  open(directory: string): Promise<Keyring<Id>>;
  /** Writes the keys of a backup to `directory`. Durable when it returns. */
  restore(directory: string, keys: readonly (readonly [Id, Buffer])[]): void;
}

export function keyringKind<Id extends string>(file: string): KeyringKind<Id> {
  return {
    file,
    inMemory: () => memoryKeyring(),
    async open(directory) {
      makePrivateDirectory(directory);
      return openFileKeyring(join(directory, file));
    },
    restore(directory, keys) {
      makePrivateDirectory(directory);
      writeKeyring(join(directory, file), keys);
    },
  };
}

function memoryKeyring<Id extends string>(): Keyring<Id> {
  const keys = new Map<Id, Buffer>();
  return {
    find: (id) => keys.get(id),
    ids: () => [...keys.keys()],
    async keep(id, key) {
      const kept = keys.get(id) ?? key;
      keys.set(id, kept);
      return kept;
    },
    async destroy(id) {
      keys.delete(id);
    },
    refresh: async () => {},
    damagedLines: () => [],
    dropDamagedLines: async () => {},
  };
}
