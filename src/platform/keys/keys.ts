import { createPrivateKey, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Entropy } from '../ports.ts';
import { checksum } from '../files/checksum.ts';
import { makePrivateDirectory, readIfExists, replaceFile } from '../files/private-files.ts';

/** The server's own keys of 256 bits each, generated at the first start. */
export interface Keys {
  /** Derives the successors of refresh tokens, and the signing keys of JWT access tokens. */
  readonly refresh: KeyObject;
  /** Hashes user names and group names for stream names. */
  readonly names: KeyObject;
  /** Signs cookies and forms. */
  readonly cookies: KeyObject;
  /** Signs checkpoints of the log (Ed25519). */
  readonly log: KeyObject;
  /** Encrypts snapshots. Derived from the log's key. */
  readonly snapshots: KeyObject;
  /** Authenticates the head and the checkpoints. Derived from the log's key. */
  readonly attestation: KeyObject;
  /** Encrypts secrets for the page that shows them once. Derived from the cookies' key. */
  readonly secretsShownOnce: KeyObject;
  /** Derives ids from forms, so that a form sent twice has one effect. Derived from the cookies' key. */
  readonly repeatedForms: KeyObject;
  /** Encrypts messages between nodes. This and the keys below derive from the names' key, which is never replaced. */
  readonly messages: KeyObject;
  /** Hashes what rate limits count for. */
  readonly limits: KeyObject;
  /** Signs the challenges for passkeys. */
  readonly challenges: KeyObject;
  /** The secret of the set-up link, where several nodes share it. */
  readonly setup: KeyObject;
}

/** The keys of a data directory. */
export interface StoredKeys extends Keys {
  /** Whether some files lack checksums, because an earlier release wrote them. */
  readonly needUpgrade: boolean;
  /** Adds checksums to such files, each atomically. Durable when it returns. */
  upgrade(): void;
}

const KEY_BYTES = 32;

export const KEY_NAMES = ['refresh', 'names', 'cookies', 'log'] as const satisfies readonly (keyof Keys)[];

export type KeyName = (typeof KEY_NAMES)[number];

/** The secrets themselves: 64 hexadecimal digits by the name of the key. */
export type KeyTexts = Readonly<Record<KeyName, string>>;

const hex = (key: KeyObject): string => key.export().toString('hex');

/** The keys as text, for a backup. */
export function keyTexts({ refresh, names, cookies, log }: Keys): KeyTexts {
  const seed = log.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  return { refresh: hex(refresh), names: hex(names), cookies: hex(cookies), log: seed.toString('hex') };
}

/** The log's key and the derived attestation key in `directory`; undefined if the file is missing or damaged. */
export function storedLogKeys(directory: string): Pick<Keys, 'log' | 'attestation'> | undefined {
  const { digits } = readKey(directory, 'log');
  if (digits === undefined) return undefined;
  const seed = createSecretKey(digits, 'hex');
  return { log: signingKey(seed), attestation: attestationKey(seed) };
}

/** Writes the keys of a backup to `directory`. Durable when it returns. */
export function restoreKeys(directory: string, texts: KeyTexts): void {
  makePrivateDirectory(directory);
  for (const name of KEY_NAMES) writeKey(directory, name, texts[name]);
}

/** Whether keys can be legitimately missing. A new key cannot replace a lost one. */
export interface KeyHistory {
  /** No key was used yet. */
  readonly isNew: boolean;
  /** There is no evidence of a key of the log, which the first releases did not have. */
  readonly mayPredateLogKey: boolean;
}

/**
 * Opens the keys in `directory`, and generates legitimately missing ones, which are durable when it returns. Writes
 * nothing if it throws.
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

/** Keys that are not stored, for a log in memory. */
export function ephemeralKeys(entropy: Entropy): Keys {
  return keysOf(() => createSecretKey(entropy.bytes(KEY_BYTES)));
}

/** The keys of a backup. */
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
    messages: derivedKey(names, 'grantlog messages between nodes'),
    limits: derivedKey(names, 'grantlog rate limits'),
    challenges: derivedKey(names, 'grantlog challenges'),
    setup: derivedKey(names, 'grantlog set-up link'),
  };
}

/** Derives a different key for each label with HKDF (RFC 5869). */
function derivedKey(key: KeyObject, label: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', label, KEY_BYTES)));
}

const attestationKey = (seed: KeyObject): KeyObject => derivedKey(seed, 'grantlog attestation');

/** RFC 8410 §7: the prefix of an Ed25519 private key in PKCS #8, before the seed. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function signingKey(seed: KeyObject): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed.export()]), format: 'der', type: 'pkcs8' });
}

/** Derives an Ed25519 key from `key` and `label` with HKDF (RFC 5869), so that it needs no file and no backup. */
export function derivedSigningKey(key: KeyObject, label: string): KeyObject {
  return signingKey(derivedKey(key, label));
}

const pathOf = (directory: string, name: KeyName): string => join(directory, `${name}.key`);

/** The checksum covers the name, so that files of different keys cannot be confused. */
const lineOf = (name: KeyName, digits: string): string => `${digits} ${checksum(`${name} ${digits}`)}\n`;

function writeKey(directory: string, name: KeyName, digits: string): void {
  replaceFile(pathOf(directory, name), lineOf(name, digits));
}

/** Generates a new key, which is durable when it returns. */
export function makeKey(directory: string, name: KeyName, entropy: Entropy): KeyObject {
  const key = createSecretKey(entropy.bytes(KEY_BYTES));
  writeKey(directory, name, hex(key));
  return key;
}

interface StoredKey {
  readonly exists: boolean;
  /** Undefined if the file is missing or damaged. */
  readonly digits: string | undefined;
  /** Files of earlier releases lack it. */
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

/** Finds keys in `directory` that are damaged, or missing although they were used. Does not write. */
export function findUnusableKeys(directory: string, { isNew, mayPredateLogKey }: KeyHistory): readonly UnusableKey[] {
  const files = KEY_NAMES.map((name) => ({ name, ...readKey(directory, name) }));
  // Releases without a key of the log wrote no checksums either.
  const predatesLogKey =
    mayPredateLogKey &&
    files.every(({ name, digits, hasChecksum }) => name === 'log' || (digits !== undefined && !hasChecksum));
  return files.flatMap(({ name, exists, digits }): UnusableKey[] => {
    if (digits !== undefined) return [];
    if (exists) return [{ name, problem: 'damaged' }];
    return isNew || (name === 'log' && predatesLogKey) ? [] : [{ name, problem: 'missing' }];
  });
}

/** The consequences of losing each key, for messages. */
export const LOST_WITH_KEY: Readonly<Record<KeyName, string>> = {
  refresh:
    'all existing refresh tokens are refused, and revoking one has no effect (users can revoke the grants on their ' +
    'pages); JWT access tokens are signed with new keys',
  names: 'the names of accounts whose personal data cannot be decrypted can be registered again',
  cookies: 'all browser sessions end, and open forms must be reloaded',
  log:
    'the log continues with another signing key, nothing proves any longer that its events are the ones that were ' +
    'signed before, and everybody who keeps checkpoints needs the new public key (grantlog log key)',
};

function unusableKey(directory: string, { name, problem }: UnusableKey): Error {
  const path = pathOf(directory, name);
  const says =
    problem === 'missing'
      ? `${path} is missing, although the server has used this key`
      : `${path} is damaged: it is not a key of 64 hexadecimal digits with a matching checksum`;
  const replace = `grantlog log repair --replace-key ${name}${name === 'log' ? ' --accept-loss' : ''}`;
  return new Error(
    `${says}. Restore a backup into another directory (grantlog restore FILE DIR) and copy DIR/keys/${name}.key ` +
      `here. Only if no backup has it, generate a new one with ${replace}; then ${LOST_WITH_KEY[name]}`,
  );
}
