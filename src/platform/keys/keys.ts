import { createPrivateKey, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Entropy } from '../ports.ts';
import { checksum } from '../files/checksum.ts';
import { makePrivateDirectory, readIfExists, replaceFile } from '../files/private-files.ts';

/** The server's own keys, 256 bits each, made at the first start. */
export interface Keys {
  /** Derives a refresh token's successors from it, and the keys that sign JWT access tokens. */
  readonly refresh: KeyObject;
  /** Hashes user names into names of streams. */
  readonly names: KeyObject;
  /** Signs cookies and forms. */
  readonly cookies: KeyObject;
  /** Signs checkpoints of the log: Ed25519, its seed 256 random bits like the others. */
  readonly log: KeyObject;
  /** Seals snapshots. Follows from the log's key: they are worth no more than the log they are of. */
  readonly snapshots: KeyObject;
  /** Authenticates what is recorded beside the log: head and checkpoints. Follows from the log's key. */
  readonly attestation: KeyObject;
  /** Seals secrets on their way to the page that shows them once. Derived from the cookies' key. */
  readonly secretsShownOnce: KeyObject;
  /** Derives what a form makes, so that a form sent twice makes it once. Derived from the cookies' key. */
  readonly repeatedForms: KeyObject;
}

/** The keys of a data directory. */
export interface StoredKeys extends Keys {
  /** Whether an earlier release wrote some of the files, without checksums. */
  readonly needUpgrade: boolean;
  /** Rewrites such files with checksums, each atomically. Durable when it returns. */
  upgrade(): void;
}

const KEY_BYTES = 32;

export const KEY_NAMES = ['refresh', 'names', 'cookies', 'log'] as const satisfies readonly (keyof Keys)[];

export type KeyName = (typeof KEY_NAMES)[number];

/** 64 hexadecimal digits by the name of the key: the secrets themselves. */
export type KeyTexts = Readonly<Record<KeyName, string>>;

const hex = (key: KeyObject): string => key.export().toString('hex');

/** For a backup. */
export function keyTexts({ refresh, names, cookies, log }: Keys): KeyTexts {
  const seed = log.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  return { refresh: hex(refresh), names: hex(names), cookies: hex(cookies), log: seed.toString('hex') };
}

/** The keys of what is beside the log, as stored in `directory`; undefined where they are missing or damaged. */
export function storedLogKeys(directory: string): Pick<Keys, 'log' | 'attestation'> | undefined {
  const { digits } = readKey(directory, 'log');
  if (digits === undefined) return undefined;
  const seed = createSecretKey(digits, 'hex');
  return { log: signingKey(seed), attestation: attestationKey(seed) };
}

/** Puts the keys of a backup into `directory`, durable when it returns, for `openKeys` to find. */
export function restoreKeys(directory: string, texts: KeyTexts): void {
  makePrivateDirectory(directory);
  for (const name of KEY_NAMES) writeKey(directory, name, texts[name]);
}

/** Whether keys may be missing. A new key in the place of one that was lost opens and proves nothing of before. */
export interface KeyHistory {
  /** Nothing was sealed, signed or named with any key yet. */
  readonly isNew: boolean;
  /** Nothing shows that there ever was a key of the log: the first releases had none. */
  readonly mayPredateLogKey: boolean;
}

/**
 * The keys in `directory`. Keys that may be missing are made, and are durable when this returns. Writes nothing where
 * it throws.
 * @throws Error a key file is damaged, or missing although the key was used
 */
export function openKeys(directory: string, entropy: Entropy, use: KeyHistory): StoredKeys {
  const [unusable] = findUnusableKeys(directory, use);
  if (unusable !== undefined) throw unusableKey(directory, unusable);
  makePrivateDirectory(directory);
  const withoutChecksum = new Map<KeyName, string>();
  const keys = keysOf((name) => {
    const stored = readKey(directory, name);
    const key = stored.digits === undefined ? makeKey(directory, name, entropy) : createSecretKey(stored.digits, 'hex');
    if (stored.digits !== undefined && !stored.hasChecksum) withoutChecksum.set(name, stored.digits);
    return key;
  });
  return {
    ...keys,
    needUpgrade: withoutChecksum.size > 0,
    upgrade() {
      for (const [name, digits] of withoutChecksum) writeKey(directory, name, digits);
    },
  };
}

/** Keys that live as long as the process: for a log in memory. */
export function ephemeralKeys(entropy: Entropy): Keys {
  return keysOf(() => createSecretKey(entropy.bytes(KEY_BYTES)));
}

/** The keys that a backup has, as texts. */
export function keysFromTexts(texts: KeyTexts): Keys {
  return keysOf((name) => createSecretKey(texts[name], 'hex'));
}

function keysOf(key: (name: KeyName) => KeyObject): Keys {
  const [refresh, names, cookies, seed] = [key('refresh'), key('names'), key('cookies'), key('log')];
  return {
    refresh,
    names,
    cookies,
    log: signingKey(seed),
    snapshots: derivedKey(seed, 'grantlog snapshots'),
    attestation: attestationKey(seed),
    secretsShownOnce: derivedKey(cookies, 'grantlog secrets shown once'),
    repeatedForms: derivedKey(cookies, 'grantlog repeated forms'),
  };
}

/** HKDF (RFC 5869): a key of its own for each label. */
function derivedKey(key: KeyObject, label: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', label, KEY_BYTES)));
}

const attestationKey = (seed: KeyObject): KeyObject => derivedKey(seed, 'grantlog attestation');

/** RFC 8410 §7: what stands before the seed of an Ed25519 private key in PKCS #8. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function signingKey(seed: KeyObject): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed.export()]), format: 'der', type: 'pkcs8' });
}

/** An Ed25519 key that follows from `key` and `label` (HKDF, RFC 5869): it needs no file, and no place in a backup. */
export function derivedSigningKey(key: KeyObject, label: string): KeyObject {
  return signingKey(derivedKey(key, label));
}

const pathOf = (directory: string, name: KeyName): string => join(directory, `${name}.key`);

/** The checksum covers the name, so that the file of another key is not accepted. */
const lineOf = (name: KeyName, digits: string): string => `${digits} ${checksum(`${name} ${digits}`)}\n`;

function writeKey(directory: string, name: KeyName, digits: string): void {
  replaceFile(pathOf(directory, name), lineOf(name, digits));
}

/** Makes a new key; it is durable when this returns. */
export function makeKey(directory: string, name: KeyName, entropy: Entropy): KeyObject {
  const key = createSecretKey(entropy.bytes(KEY_BYTES));
  writeKey(directory, name, hex(key));
  return key;
}

interface StoredKey {
  readonly exists: boolean;
  /** Undefined where the file is missing or damaged. */
  readonly digits: string | undefined;
  /** A file of an earlier release has the digits alone. */
  readonly hasChecksum: boolean;
}

function readKey(directory: string, name: KeyName): StoredKey {
  const stored = readIfExists(pathOf(directory, name));
  const [, found = ''] = /^([0-9a-f]{64})(?: [0-9a-f]{8})?\n$/.exec(stored ?? '') ?? [];
  const hasChecksum = stored === lineOf(name, found);
  const isSound = found !== '' && (hasChecksum || stored === `${found}\n`);
  return { exists: stored !== undefined, digits: isSound ? found : undefined, hasChecksum };
}

interface UnusableKey {
  readonly name: KeyName;
  readonly problem: 'damaged' | 'missing';
}

/** The keys in `directory` that are damaged, or missing although they were used. Does not write. */
export function findUnusableKeys(directory: string, { isNew, mayPredateLogKey }: KeyHistory): readonly UnusableKey[] {
  const files = KEY_NAMES.map((name) => ({ name, ...readKey(directory, name) }));
  // The key of the log is older than the checksums, which are written once all keys are there.
  const predatesLogKey =
    mayPredateLogKey &&
    files.every(({ name, digits, hasChecksum }) => name === 'log' || (digits !== undefined && !hasChecksum));
  return files.flatMap(({ name, exists, digits }): UnusableKey[] => {
    if (digits !== undefined) return [];
    if (exists) return [{ name, problem: 'damaged' }];
    return isNew || (name === 'log' && predatesLogKey) ? [] : [{ name, problem: 'missing' }];
  });
}

/** What is lost with each key, in words. */
export const LOST_WITH_KEY: Readonly<Record<KeyName, string>> = {
  refresh:
    'every refresh token of before is refused, and revoking one ends nothing (users can end the grants on their ' +
    'pages); JWT access tokens are signed with new keys',
  names: 'an account whose personal data cannot be read any more no longer keeps others from registering its name',
  cookies: 'every browser session ends, and forms that are open have to be loaded again',
  log:
    'the log goes on under another signing key, nothing proves any more that its events are the ones that were ' +
    'signed before, and everybody who keeps checkpoints needs the new public key (grantlog log key)',
};

function unusableKey(directory: string, { name, problem }: UnusableKey): Error {
  const path = pathOf(directory, name);
  const says =
    problem === 'missing'
      ? `${path} is missing, although the server has used this key`
      : `${path} is not a key of 64 hexadecimal digits with the checksum that goes with it: it is damaged`;
  const replace = `grantlog log repair --replace-key ${name}${name === 'log' ? ' --accept-loss' : ''}`;
  return new Error(
    `${says}. Restore a backup into another directory (grantlog restore FILE DIR) and copy DIR/keys/${name}.key ` +
      `here. Only if no backup has it, make a new one with ${replace}: then ${LOST_WITH_KEY[name]}`,
  );
}
