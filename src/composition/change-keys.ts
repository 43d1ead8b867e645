import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { KeyStore } from '../platform/keys/key-store.ts';
import type { Entropy } from '../platform/ports.ts';
import { keyDirectoryPath, type KeyLocationSettings } from '../platform/keys/key-place.ts';
import { requireDirectory } from './directory-state.ts';
import { levelKeyStore } from './data-directory.ts';
import type { SharedKeys } from './shared-keys.ts';

type KeySettings = Pick<Config, 'log' | 'dataDir' | 'keys' | 'keysSecret'>;

/**
 * Runs `work` on the keys at the location in the settings, whether or not a server is using them. Resolves with a
 * description of that location.
 * @throws Error if no key can be read there, because the location may be wrong
 */
export async function changeStoredKeys(
  { log, ...keySettings }: KeySettings,
  entropy: Entropy,
  work: (store: KeyStore, entropy: Entropy) => Promise<void>,
): Promise<string> {
  if (log === null && keySettings.keys === null) requireDirectory(keySettings.dataDir);
  const { store, close } =
    log === null ? { store: levelKeyStore(keySettings), close() {} } : await openShared(log, keySettings);
  try {
    if (log === null) requireKeyDirectory(keySettings);
    await assertHasKeys(store);
    await work(store, entropy);
    return store.location;
  } finally {
    close();
  }

  async function openShared(url: string, { dataDir, keys, keysSecret }: typeof keySettings): Promise<SharedKeys> {
    const [{ openSharedKeys }, { parsePostgresUrl }] = await Promise.all([
      import('./shared-keys.ts'),
      import('../platform/postgres/connection-url.ts'),
    ]);
    return openSharedKeys({ dataDir, keys, keysSecret }, parsePostgresUrl(url), entropy);
  }
}

/** @throws Error if the keys are in a directory that does not exist */
function requireKeyDirectory(settings: KeyLocationSettings): void {
  const directory = keyDirectoryPath(settings);
  if (directory !== undefined && !existsSync(directory))
    throw new Error(`the key directory ${directory} does not exist; no key was changed. ${CHECK_SETTINGS}`);
}

const CHECK_SETTINGS = 'Check GRANTLOG_KEYS, GRANTLOG_KEYS_SECRET and DATA_DIR';

/**
 * Checks that at least one key can be read. This shows that the location and, for keys in a database, the secret are
 * right.
 */
async function assertHasKeys(store: KeyStore): Promise<void> {
  const texts = await store.texts();
  if (Object.values(texts).some((text) => text !== undefined)) return;
  throw new Error(`${store.location} has no key that can be read; no key was changed. ${CHECK_SETTINGS}`);
}
