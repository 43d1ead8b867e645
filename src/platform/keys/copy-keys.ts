import { CLIENT_KEYS } from './client-keys.ts';
import type { KeyStore } from './key-store.ts';
import type { Keyring } from './keyring.ts';
import { KEY_NAMES, type KeyTexts } from './keys.ts';
import { PERSONAL_KEYS } from './personal-keys.ts';
import { SIGNING_KEYS } from './signing-keyring.ts';

/**
 * Copies all keys to a store that no node uses yet. The copy is durable when the promise resolves.
 * @throws Error before writing anything, if one of the server's keys is missing or damaged in `source`
 */
export async function copyKeys(source: KeyStore, target: Pick<KeyStore, 'restore'>): Promise<void> {
  const texts = await source.texts();
  const unusableName = KEY_NAMES.find((name) => texts[name] === undefined);
  if (unusableName !== undefined)
    throw new Error(`the ${unusableName} key in ${source.location} is missing or damaged; no key was copied`);
  const keyrings = [
    [PERSONAL_KEYS, keyringEntries(await source.keyring(PERSONAL_KEYS))] as const,
    [CLIENT_KEYS, keyringEntries(await source.keyring(CLIENT_KEYS))] as const,
    [SIGNING_KEYS, keyringEntries(await source.keyring(SIGNING_KEYS))] as const,
  ];
  await target.restore({ server: texts as KeyTexts, keyrings });
}

function keyringEntries<Id extends string>(keys: Keyring<Id>): readonly (readonly [Id, Buffer])[] {
  return keys.ids().flatMap((id) => {
    const key = keys.find(id);
    return key === undefined ? [] : [[id, key] as const];
  });
}
