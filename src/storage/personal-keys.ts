import { join } from 'node:path';
import type { UserId } from '../domain/values.ts';
import { memoryKeyring, openKeyring, writeKeyring, type Keyring } from './keyring.ts';
import { makePrivateDirectory } from './private-files.ts';

/** Each user's own key, under which the log has their personal data. */
export type PersonalKeys = Keyring<UserId>;

export const PERSONAL_KEYS_FILE = 'users.keys';

export function inMemoryPersonalKeys(): PersonalKeys {
  return memoryKeyring();
}

/** Puts the keys of a backup into `directory`, durable when it returns, for `openPersonalKeys` to find. */
export function restorePersonalKeys(directory: string, keys: readonly (readonly [UserId, Buffer])[]): void {
  makePrivateDirectory(directory);
  writeKeyring(join(directory, PERSONAL_KEYS_FILE), keys);
}

/** The keys in `directory`/users.keys. */
export function openPersonalKeys(directory: string): PersonalKeys {
  makePrivateDirectory(directory);
  return openKeyring(join(directory, PERSONAL_KEYS_FILE));
}
