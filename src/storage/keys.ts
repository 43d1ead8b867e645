import { createPrivateKey, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Entropy } from '../ports.ts';
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
}

const KEY_BYTES = 32;

export const KEY_NAMES = ['refresh', 'names', 'cookies', 'log'] as const satisfies readonly (keyof Keys)[];

/** 64 hexadecimal digits by the name of the key: the secrets themselves. */
export type KeyTexts = Readonly<Record<(typeof KEY_NAMES)[number], string>>;

const hex = (key: KeyObject): string => key.export().toString('hex');

/** For a backup. */
export function keyTexts({ refresh, names, cookies, log }: Keys): KeyTexts {
  const seed = log.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  return { refresh: hex(refresh), names: hex(names), cookies: hex(cookies), log: seed.toString('hex') };
}

/** Puts the keys of a backup into `directory`, durable when it returns, for `openKeys` to find; returns the log's. */
export function restoreKeys(directory: string, texts: KeyTexts): KeyObject {
  makePrivateDirectory(directory);
  for (const name of KEY_NAMES) replaceFile(join(directory, `${name}.key`), `${texts[name]}\n`);
  return signingKey(createSecretKey(texts.log, 'hex'));
}

/**
 * The keys in `directory`; those that are missing are made and durable before they are used.
 * @throws Error a key file is damaged: a new key in its place would end every session or refresh token
 */
export function openKeys(directory: string, entropy: Entropy): Keys {
  makePrivateDirectory(directory);
  const key = (name: string): KeyObject => openKey(join(directory, `${name}.key`), entropy);
  return keysOf(key);
}

/** Keys that live as long as the process: for a log in memory. */
export function ephemeralKeys(entropy: Entropy): Keys {
  const key = (): KeyObject => createSecretKey(entropy.bytes(KEY_BYTES));
  return keysOf(key);
}

function keysOf(key: (name: (typeof KEY_NAMES)[number]) => KeyObject): Keys {
  const [refresh, names, cookies, seed] = [key('refresh'), key('names'), key('cookies'), key('log')];
  const snapshots = createSecretKey(Buffer.from(hkdfSync('sha256', seed, '', 'grantlog snapshots', KEY_BYTES)));
  return { refresh, names, cookies, log: signingKey(seed), snapshots };
}

/** RFC 8410 §7: what stands before the seed of an Ed25519 private key in PKCS #8. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function signingKey(seed: KeyObject): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed.export()]), format: 'der', type: 'pkcs8' });
}

/** An Ed25519 key that follows from `key` and `label` (HKDF, RFC 5869): it needs no file, and no place in a backup. */
export function derivedSigningKey(key: KeyObject, label: string): KeyObject {
  return signingKey(createSecretKey(Buffer.from(hkdfSync('sha256', key, '', label, KEY_BYTES))));
}

function openKey(path: string, entropy: Entropy): KeyObject {
  const stored = readIfThere(path);
  if (stored !== undefined) return parseKey(path, stored);
  const bytes = entropy.bytes(KEY_BYTES);
  replaceFile(path, `${bytes.toString('hex')}\n`);
  return createSecretKey(bytes);
}

function parseKey(path: string, stored: string): KeyObject {
  if (!/^[0-9a-f]{64}\n$/.test(stored)) throw new Error(`${path} is not a key of 64 hexadecimal digits; restore it from a backup`);
  return createSecretKey(stored.trim(), 'hex');
}
