import { createKeyEncryption } from './key-encryption.ts';
import type { KeyHistory, KeyStore, StoredKeys, UnusableKey } from './key-store.ts';
import { createKeyTable, type KeyAddress, type KeyQuery } from './key-table.ts';
import type { Keyring, KeyringKind } from './keyring.ts';
import { KEY_NAMES, keysFromTexts, logKeysFromText, KEY_LOSS_CONSEQUENCES, newKeyText } from './keys.ts';
import type { KeyName, KeyTexts } from './keys.ts';
import {
  isPreviousKeyName,
  entriesToKeep,
  listPreviousKeys,
  previousNames,
  staleNames,
} from './previous-cookie-keys.ts';
import type { Entropy } from '../ports.ts';

/** Keys in a database, which other nodes can change. */
export interface KeyDatabase extends KeyStore {
  /**
   * Loads the changes made by other nodes. Call this after events from other nodes have been read and before they are
   * applied: an event's key is durable before the event.
   */
  refresh(): Promise<void>;
}

export interface KeyDatabaseDeps {
  readonly query: KeyQuery;
  /** Each has 32 bytes. Keys are encrypted under the first secret, and can be decrypted with any of them. */
  readonly secrets: readonly Buffer[];
  /** For nonces. */
  readonly entropy: Entropy;
}

const LOCATION = 'the database';

/**
 * Creates a store that keeps encrypted keys in the tables that migration 003 creates. All keys, including those of
 * users and clients, are loaded into memory.
 */
export function keyDatabase({ query, secrets, entropy: nonceEntropy }: KeyDatabaseDeps): KeyDatabase {
  const table = createKeyTable(query, createKeyEncryption(secrets, nonceEntropy));
  const findText = (name: string): string | undefined => table.find(serverKey(name))?.key?.toString('hex');

  function storedPreviousKeys(): readonly (readonly [name: string, text: string])[] {
    return table.names('server').flatMap((name) => {
      const text = isPreviousKeyName(name) ? findText(name) : undefined;
      return text === undefined ? [] : [[name, text] as const];
    });
  }

  async function destroyAll(names: readonly string[]): Promise<void> {
    for (const name of names) await table.destroy(serverKey(name));
  }

  async function findUnusable({ isNew }: KeyHistory): Promise<readonly UnusableKey[]> {
    await table.refresh();
    return KEY_NAMES.flatMap((name): UnusableKey[] => {
      const entry = table.find(serverKey(name));
      if (entry?.key !== undefined) return [];
      if (entry?.isDamaged === true) return [{ name, problem: 'damaged' }];
      return isNew ? [] : [{ name, problem: 'missing' }];
    });
  }

  return {
    location: LOCATION,
    refresh: table.refresh,
    findUnusable,

    async open(entropy, history): Promise<StoredKeys> {
      const [unusableKey] = await findUnusable(history);
      if (unusableKey !== undefined) throw unusableKeyError(unusableKey);
      for (const name of KEY_NAMES) {
        if (findText(name) === undefined) await table.add(serverKey(name), Buffer.from(newKeyText(entropy), 'hex'));
      }
      await table.reencrypt();
      const texts = KEY_NAMES.map((name) => [name, findText(name) ?? '']);
      return { ...keysFromTexts(Object.fromEntries(texts) as KeyTexts), needsUpgrade: false, upgrade: async () => {} };
    },

    async logKeys() {
      await table.refresh();
      const digits = findText('log');
      return digits === undefined ? undefined : logKeysFromText(digits);
    },

    async texts() {
      await table.refresh();
      return Object.fromEntries(KEY_NAMES.map((name) => [name, findText(name)]));
    },
    previousCookieKeys: async () => listPreviousKeys(storedPreviousKeys()),

    async replace(name, entropy) {
      await table.replace([{ ...serverKey(name), key: Buffer.from(newKeyText(entropy), 'hex') }]);
      return [];
    },

    async rotate(name, entropy, { keepPrevious, now }) {
      await table.refresh();
      const oldText = findText(name);
      const rotatedKey = { ...serverKey(name), key: Buffer.from(newKeyText(entropy), 'hex') };
      if (name === 'cookies') await destroyAll(staleNames(table.names('server')));
      const keepsOldKey = name === 'cookies' && keepPrevious && oldText !== undefined;
      const keptEntries = keepsOldKey ? entriesToKeep(storedPreviousKeys(), oldText, now) : [];
      await table.replace([
        ...keptEntries.map(([keptName, text]) => ({ ...serverKey(keptName), key: Buffer.from(text, 'hex') })),
        rotatedKey,
      ]);
      if (name === 'cookies' && !keepPrevious) await destroyAll(previousNames(table.names('server')));
    },
    async dropPreviousCookieKeys() {
      await table.refresh();
      await destroyAll(previousNames(table.names('server')));
    },

    async keyring<Id extends string>({ name: kind }: KeyringKind<Id>): Promise<Keyring<Id>> {
      await table.refresh();
      return {
        location: LOCATION,
        advice:
          'check that GRANTLOG_KEYS_SECRET still lists the secret that encrypted the keys, or restore the database',
        find: (name) => table.find({ kind, name })?.key,
        ids: () => table.names(kind).filter((name) => table.find({ kind, name })?.key !== undefined) as Id[],
        add: (name, key) => table.add({ kind, name }, key),
        destroy: (name) => table.destroy({ kind, name }),
        refresh: table.refresh,
        damagedLines: () => [],
        dropDamagedLines: async () => {},
      };
    },

    async restore({ server: texts, keyrings }) {
      const serverKeys = KEY_NAMES.map((name) => ({ ...serverKey(name), key: Buffer.from(texts[name], 'hex') }));
      const keyringKeys = keyrings.flatMap(([{ name: kind }, keys]) =>
        keys.map(([name, key]) => ({ kind, name, key })),
      );
      await table.replace([...serverKeys, ...keyringKeys]);
    },
  };
}

const serverKey = (name: string): KeyAddress => ({ kind: 'server', name });

function unusableKeyError({ name, problem }: UnusableKey): Error {
  return new Error(
    problem === 'missing'
      ? `the ${name} key is missing from the database, although a server has used it. If GRANTLOG_KEYS was changed, ` +
          `change it back; otherwise restore the database${newKeyAdvice(name)}`
      : `the ${name} key in the database cannot be decrypted: either GRANTLOG_KEYS_SECRET lacks the secret that ` +
          `encrypted it, or its row is damaged. Add the secret, or restore the database${newKeyAdvice(name)}`,
  );
}

function newKeyAdvice(name: KeyName): string {
  if (name !== 'cookies' && name !== 'refresh') return '';
  const command = name === 'cookies' ? 'grantlog keys rotate cookies' : 'grantlog keys rotate refresh --accept-loss';
  const loss = KEY_LOSS_CONSEQUENCES[name];
  return `. As a last resort, if no backup contains it, generate a new one with ${command}; after that, ${loss}`;
}
