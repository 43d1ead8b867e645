import { join } from 'node:path';
import type { ClientId } from '../domain/values.ts';
import { memoryKeyring, openKeyring, writeKeyring, type Keyring } from './keyring.ts';
import { makePrivateDirectory } from './private-files.ts';

/** The key of each client whose secret this server did not make; the log has the hash of that secret under it. */
export type ClientKeys = Keyring<ClientId>;

export const CLIENT_KEYS_FILE = 'clients.keys';

export function inMemoryClientKeys(): ClientKeys {
  return memoryKeyring();
}

/** Puts the keys of a backup into `directory`, durable when it returns, for `openClientKeys` to find. */
export function restoreClientKeys(directory: string, keys: readonly (readonly [ClientId, Buffer])[]): void {
  makePrivateDirectory(directory);
  writeKeyring(join(directory, CLIENT_KEYS_FILE), keys);
}

/** The keys in `directory`/clients.keys. */
export function openClientKeys(directory: string): ClientKeys {
  makePrivateDirectory(directory);
  return openKeyring(join(directory, CLIENT_KEYS_FILE));
}
