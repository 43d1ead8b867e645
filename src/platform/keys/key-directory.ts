import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checksum } from '../files/checksum.ts';
import { PROCESS_NAME, withFileLock } from '../files/file-lock.ts';
import { findDirectoryProblem } from '../files/directory-problem.ts';
import { createFile, makePrivateDirectory, readIfExists, replaceFile, syncDirectory } from '../files/private-files.ts';
import type { Entropy } from '../ports.ts';
import {
  isPreviousKeyName,
  entriesToKeep,
  listPreviousKeys,
  previousNames,
  staleNames,
} from './previous-cookie-keys.ts';
import { openFileKeyring, writeKeyring } from './file-keyring.ts';
import type { KeyHistory, KeyStore, StoredKeys, UnusableKey } from './key-store.ts';
import { KEY_NAMES, keysFromTexts, logKeysFromText, KEY_LOSS_CONSEQUENCES, newKeyText } from './keys.ts';
import type { KeyName, KeyTexts } from './keys.ts';

/**
 * Creates a store that keeps keys as files in a directory. Several processes can share it. The directory is created
 * when the first key is written.
 * @throws Error if `directory` is not a directory or cannot be read
 */
export function keyDirectory(directory: string): KeyStore {
  const problem = findDirectoryProblem(directory);
  if (problem !== undefined)
    throw new Error(
      `the key directory ${directory} cannot be used: ${problem}; set GRANTLOG_KEYS to the key directory`,
    );
  const keyNames = (): readonly string[] =>
    existsSync(directory)
      ? readdirSync(directory).flatMap((file) => (file.endsWith('.key') ? [file.slice(0, -'.key'.length)] : []))
      : [];

  function storedPreviousKeys(): readonly (readonly [name: string, text: string])[] {
    return keyNames()
      .filter(isPreviousKeyName)
      .flatMap((name) => {
        const { digits } = readKeyFile(previousKeyPath(name), 'cookies');
        return digits === undefined ? [] : [[name, digits] as const];
      });
  }

  const previousKeyPath = (name: string): string => join(directory, `${name}.key`);

  function remove(names: readonly string[]): void {
    for (const name of names) rmSync(previousKeyPath(name), { force: true });
    if (names.length > 0) syncDirectory(directory);
  }

  return {
    location: directory,
    open: (entropy, history) => openKeys(directory, entropy, history),
    async logKeys() {
      const { digits } = readKey(directory, 'log');
      return digits === undefined ? undefined : logKeysFromText(digits);
    },
    findUnusable: async (history) => findUnusableKeys(directory, history),
    replace: async (name, entropy, quarantine) => replaceKey(directory, name, entropy, quarantine),
    async texts() {
      return Object.fromEntries(KEY_NAMES.map((name) => [name, readKey(directory, name).digits]));
    },
    previousCookieKeys: async () => listPreviousKeys(storedPreviousKeys()),
    async rotate(name, entropy, { keepPrevious, now }) {
      const { digits } = readKey(directory, name);
      if (name === 'cookies') remove(staleNames(keyNames()));
      const keepsOldKey = name === 'cookies' && keepPrevious && digits !== undefined;
      for (const [keptName, text] of keepsOldKey ? entriesToKeep(storedPreviousKeys(), digits, now) : []) {
        const path = previousKeyPath(keptName);
        replaceFile(path, formatLine('cookies', text), temporaryPath(path));
      }
      writeKey(directory, name, newKeyText(entropy));
      if (name === 'cookies' && !keepPrevious) remove(previousNames(keyNames()));
    },
    dropPreviousCookieKeys: async () => remove(previousNames(keyNames())),
    async keyring(kind) {
      makePrivateDirectory(directory);
      return openFileKeyring(join(directory, kind.file));
    },
    async restore({ server, keyrings }) {
      makePrivateDirectory(directory);
      for (const name of KEY_NAMES) writeKey(directory, name, server[name]);
      for (const [{ file }, keys] of keyrings) writeKeyring(join(directory, file), keys);
    },
  };
}

async function openKeys(directory: string, entropy: Entropy, history: KeyHistory): Promise<StoredKeys> {
  const [unusableKey] = findUnusableKeys(directory, history);
  if (unusableKey !== undefined) throw unusableKeyError(directory, unusableKey);
  makePrivateDirectory(directory);
  for (const name of KEY_NAMES) {
    if (!readKey(directory, name).exists) await createKey(directory, name, newKeyText(entropy));
  }
  const digitsWithoutChecksum = new Map<KeyName, string>();
  const texts = KEY_NAMES.map((name) => {
    const { digits, hasChecksum } = readKey(directory, name);
    if (digits === undefined) throw unusableKeyError(directory, { name, problem: 'damaged' });
    if (!hasChecksum) digitsWithoutChecksum.set(name, digits);
    return [name, digits] as const;
  });
  return {
    ...keysFromTexts(Object.fromEntries(texts) as KeyTexts),
    needsUpgrade: digitsWithoutChecksum.size > 0,
    async upgrade() {
      for (const [name, digits] of digitsWithoutChecksum) writeKey(directory, name, digits);
    },
  };
}

const keyPath = (directory: string, name: KeyName): string => join(directory, `${name}.key`);

/** Returns a path unique to this process, because several processes can write the same key. */
const temporaryPath = (path: string): string => `${path}.${PROCESS_NAME}.new`;

/** Formats a key as a line. The checksum covers the name, so that the files of two keys cannot be confused. */
const formatLine = (name: KeyName, digits: string): string => `${digits} ${checksum(`${name} ${digits}`)}\n`;

function writeKey(directory: string, name: KeyName, digits: string): void {
  const path = keyPath(directory, name);
  replaceFile(path, formatLine(name, digits), temporaryPath(path));
}

/** Writes a new key unless another process has written one. */
async function createKey(directory: string, name: KeyName, digits: string): Promise<void> {
  const path = keyPath(directory, name);
  try {
    createFile(path, formatLine(name, digits), temporaryPath(path));
  } catch (error) {
    if (!NO_HARD_LINK_CODES.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await withFileLock(join(directory, 'keys.lock'), () => {
      if (!readKey(directory, name).exists) writeKey(directory, name, digits);
    });
  }
}

/** Error codes returned by file systems without hard links, such as SMB. */
const NO_HARD_LINK_CODES = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

function replaceKey(directory: string, name: KeyName, entropy: Entropy, quarantine: string): readonly string[] {
  const path = keyPath(directory, name);
  const movedFiles = existsSync(path) ? [path] : [];
  for (const file of movedFiles) renameSync(file, join(quarantine, basename(file)));
  if (movedFiles.length > 0) for (const changedDirectory of [quarantine, directory]) syncDirectory(changedDirectory);
  makePrivateDirectory(directory);
  for (const file of readdirSync(directory)) {
    // These temporary files were left behind by a crash while the old key was being written.
    if (file.startsWith(`${name}.key.`) && file.endsWith('.new')) rmSync(join(directory, file), { force: true });
  }
  writeKey(directory, name, newKeyText(entropy));
  return movedFiles;
}

interface StoredKey {
  readonly exists: boolean;
  /** Undefined if the file is missing or damaged. */
  readonly digits: string | undefined;
  /** False for files from earlier releases. */
  readonly hasChecksum: boolean;
}

const readKey = (directory: string, name: KeyName): StoredKey => readKeyFile(keyPath(directory, name), name);

function readKeyFile(path: string, name: KeyName): StoredKey {
  const text = readIfExists(path);
  const [, digits = ''] = /^([0-9a-f]{64})(?: [0-9a-f]{8})?\n$/.exec(text ?? '') ?? [];
  const hasChecksum = text === formatLine(name, digits);
  const isValid = digits !== '' && (hasChecksum || text === `${digits}\n`);
  return { exists: text !== undefined, digits: isValid ? digits : undefined, hasChecksum };
}

/** Finds keys in `directory` that are damaged, or that are missing even though they have been used. Writes nothing. */
export function findUnusableKeys(directory: string, { isNew, mayPredateLogKey }: KeyHistory): readonly UnusableKey[] {
  const files = KEY_NAMES.map((name) => ({ name, ...readKey(directory, name) }));
  // Releases without a log key did not write checksums either.
  const predatesLogKey =
    mayPredateLogKey &&
    files.every(({ name, digits, hasChecksum }) => name === 'log' || (digits !== undefined && !hasChecksum));
  return files.flatMap(({ name, exists, digits }): UnusableKey[] => {
    if (digits !== undefined) return [];
    if (exists) return [{ name, problem: 'damaged' }];
    return isNew || (name === 'log' && predatesLogKey) ? [] : [{ name, problem: 'missing' }];
  });
}

function unusableKeyError(directory: string, { name, problem }: UnusableKey): Error {
  const path = keyPath(directory, name);
  const finding =
    problem === 'missing'
      ? `${path} is missing, although the server has used this key`
      : `${path} is damaged: expected 64 hexadecimal digits and a matching checksum`;
  const command = `grantlog log repair --replace-key ${name}${name === 'log' ? ' --accept-loss' : ''}`;
  return new Error(
    `${finding}. Restore a backup into another directory (grantlog restore FILE DIR) and copy DIR/keys/${name}.key ` +
      `to this path. As a last resort, if no backup contains it, generate a new one with ${command}; after that, ` +
      KEY_LOSS_CONSEQUENCES[name],
  );
}
