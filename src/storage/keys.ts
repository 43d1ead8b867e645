import { createPrivateKey, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Entropy } from '../ports.ts';
import { checksum } from './checksum.ts';
import { makePrivateDirectory, readIfThere, replaceFile } from './private-files.ts';

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
  readonly areOfEarlierRelease: boolean;
  /** Rewrites such files with checksums, each atomically. Durable when it returns. */
  upgrade(): void;
}

const KEY_BYTES = 32;

export const KEY_NAMES = ['refresh', 'names', 'cookies', 'log'] as const satisfies readonly (keyof Keys)[];

type KeyName = (typeof KEY_NAMES)[number];

/** 64 hexadecimal digits by the name of the key: the secrets themselves. */
export type KeyTexts = Readonly<Record<KeyName, string>>;

const hex = (key: KeyObject): string => key.export().toString('hex');

/** For a backup. */
export function keyTexts({ refresh, names, cookies, log }: Keys): KeyTexts {
  const seed = log.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  return { refresh: hex(refresh), names: hex(names), cookies: hex(cookies), log: seed.toString('hex') };
}

/** Puts the keys of a backup into `directory`, durable when it returns, for `openKeys` to find. */
export function restoreKeys(directory: string, texts: KeyTexts): void {
  makePrivateDirectory(directory);
  for (const name of KEY_NAMES) writeKey(directory, name, texts[name]);
}

/**
 * The keys in `directory`; those that are missing are made and durable before they are used.
 * @throws Error a key file is damaged: a new key in its place would end every session or refresh token
 */
export function openKeys(directory: string, entropy: Entropy): StoredKeys {
  makePrivateDirectory(directory);
  const withoutChecksum = new Map<KeyName, string>();
  const keys = keysOf((name) => {
    const stored = readIfThere(pathOf(directory, name));
    const key = stored === undefined ? makeKey(directory, name, entropy) : parseKey(directory, name, stored);
    if (stored === `${hex(key)}\n`) withoutChecksum.set(name, hex(key));
    return key;
  });
  return {
    ...keys,
    areOfEarlierRelease: withoutChecksum.size > 0,
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
    refresh, names, cookies, log: signingKey(seed),
    snapshots: derivedKey(seed, 'grantlog snapshots'),
    attestation: derivedKey(seed, 'grantlog attestation'),
    secretsShownOnce: derivedKey(cookies, 'grantlog secrets shown once'),
    repeatedForms: derivedKey(cookies, 'grantlog repeated forms'),
  };
}

/** HKDF (RFC 5869): a key of its own for each label. */
function derivedKey(key: KeyObject, label: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', label, KEY_BYTES)));
}

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

function makeKey(directory: string, name: KeyName, entropy: Entropy): KeyObject {
  const key = createSecretKey(entropy.bytes(KEY_BYTES));
  writeKey(directory, name, hex(key));
  return key;
}

function parseKey(directory: string, name: KeyName, stored: string): KeyObject {
  const digits = digitsOf(name, stored);
  if (digits !== undefined) return createSecretKey(digits, 'hex');
  throw new Error(
    `${pathOf(directory, name)} is not a key of 64 hexadecimal digits with the checksum that goes with it: it is ` +
      'damaged. Restore a backup into another directory (grantlog restore FILE DIR) and copy ' +
      `DIR/keys/${name}.key here`,
  );
}

/** A file of an earlier release has the digits alone. */
function digitsOf(name: KeyName, stored: string): string | undefined {
  const [, digits = ''] = /^([0-9a-f]{64})(?: [0-9a-f]{8})?\n$/.exec(stored) ?? [];
  return digits !== '' && (stored === `${digits}\n` || stored === lineOf(name, digits)) ? digits : undefined;
}

/** The names of the damaged key files in `directory`. Does not write. */
export function findDamagedKeys(directory: string): readonly string[] {
  return KEY_NAMES.filter((name) => {
    const stored = readIfThere(pathOf(directory, name));
    return stored !== undefined && digitsOf(name, stored) === undefined;
  }).map((name) => `${name}.key`);
}
