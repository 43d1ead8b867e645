import { createPrivateKey, createPublicKey, createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import type { Entropy } from '../ports.ts';

/**
 * The server's own keys, of 256 bits each. Four are generated at the first startup; the others are derived from them.
 */
export interface Keys {
  /** Derives the successors of refresh tokens, and the keys that signed JWT access tokens in earlier releases. */
  readonly refresh: KeyObject;
  /** Hashes user names and group names to derive stream names. */
  readonly names: KeyObject;
  /** Signs cookies and forms. */
  readonly cookies: KeyObject;
  /** Signs log checkpoints (Ed25519). */
  readonly log: KeyObject;
  /** Authenticates snapshots. Derived from the log key. */
  readonly snapshots: KeyObject;
  /** Authenticates the head and the checkpoints. Derived from the log key. */
  readonly attestation: KeyObject;
  /** Encrypts secrets for the page that shows them once. Derived from the cookie key. */
  readonly secretsShownOnce: KeyObject;
  /** Derives ids from forms, so that a form submitted twice has one effect. Derived from the cookie key. */
  readonly resubmissionGuard: KeyObject;
  /** Encrypts the tickets between the steps of a login, and the forms about devices. Derived from the cookie key. */
  readonly pendingLogins: KeyObject;
  /** Encrypts messages between nodes. This key and those below are derived from `names`, which is never rotated. */
  readonly messages: KeyObject;
  /** Hashes the keys of rate limits. */
  readonly limits: KeyObject;
  /** Signs the challenges for passkeys. */
  readonly challenges: KeyObject;
  /** Derives the secrets that are offered to authenticator apps. */
  readonly totp: KeyObject;
  /** Encrypts the private halves of signing keys. */
  readonly signing: KeyObject;
  /** The secret of the set-up link if several nodes share it. */
  readonly setup: KeyObject;
  /** Encrypts the stored explanations of refusals. */
  readonly refusals: KeyObject;
  /** Derives users' pairwise subjects. */
  readonly subjects: KeyObject;
  /** Encrypts the tokens in links in e-mails. */
  readonly mailLinks: KeyObject;
  /** Hashes the subjects of accounts at providers. */
  readonly upstreamSubjects: KeyObject;
  /** Encrypts this server's client secrets at providers. */
  readonly providerSecrets: KeyObject;
  /** Encrypts device codes. */
  readonly deviceCodes: KeyObject;
  /** Encrypts the registrations in client ids, and derives the credentials of self-registered clients. */
  readonly registrations: KeyObject;
}

const KEY_BYTES = 32;

export const KEY_NAMES = ['refresh', 'names', 'cookies', 'log'] as const satisfies readonly (keyof Keys)[];

export type KeyName = (typeof KEY_NAMES)[number];

/** The secrets as 64 hexadecimal digits, by key name. */
export type KeyTexts = Readonly<Record<KeyName, string>>;

const hex = (key: KeyObject): string => key.export().toString('hex');

/** Encodes the generated keys as text, for storage and backups. */
export function keyTexts({ refresh, names, cookies, log }: Keys): KeyTexts {
  const seed = log.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  return { refresh: hex(refresh), names: hex(names), cookies: hex(cookies), log: seed.toString('hex') };
}

/** Generates keys that are not stored, for a log in memory. */
export function ephemeralKeys(entropy: Entropy): Keys {
  return deriveKeys(() => createSecretKey(entropy.bytes(KEY_BYTES)));
}

/** Decodes stored keys, and derives the others. */
export function keysFromTexts(texts: KeyTexts): Keys {
  return deriveKeys((name) => createSecretKey(texts[name], 'hex'));
}

/**
 * Decodes the log key, and derives the attestation key.
 * @param digits the secret of the log key
 */
export function logKeysFromText(digits: string): Pick<Keys, 'log' | 'attestation'> {
  const seed = createSecretKey(digits, 'hex');
  return { log: signingKeyFromSeed(seed), attestation: deriveAttestationKey(seed) };
}

/** Generates the secret of a new key. */
export function newKeyText(entropy: Entropy): string {
  return entropy.bytes(KEY_BYTES).toString('hex');
}

function deriveKeys(key: (name: KeyName) => KeyObject): Keys {
  const [refresh, names, cookies, seed] = [key('refresh'), key('names'), key('cookies'), key('log')];
  return {
    refresh,
    names,
    ...deriveCookieKeys(cookies),
    log: signingKeyFromSeed(seed),
    snapshots: deriveKey(seed, 'grantlog snapshots'),
    attestation: deriveAttestationKey(seed),
    messages: deriveKey(names, 'grantlog messages between nodes'),
    limits: deriveKey(names, 'grantlog rate limits'),
    challenges: deriveKey(names, 'grantlog challenges'),
    totp: deriveKey(names, 'grantlog one-time passwords'),
    signing: deriveKey(names, 'grantlog signing keys'),
    setup: deriveKey(names, 'grantlog set-up link'),
    refusals: deriveKey(names, 'grantlog refusals'),
    subjects: deriveKey(names, 'grantlog pairwise subjects'),
    mailLinks: deriveKey(names, 'grantlog mail links'),
    upstreamSubjects: deriveKey(names, 'grantlog upstream subjects'),
    providerSecrets: deriveKey(names, 'grantlog provider secrets'),
    deviceCodes: deriveKey(names, 'grantlog device codes'),
    registrations: deriveKey(names, 'grantlog registrations'),
  };
}

/** The cookie key and the keys derived from it. */
export const COOKIE_KEYS = [
  'cookies',
  'secretsShownOnce',
  'resubmissionGuard',
  'pendingLogins',
] as const satisfies readonly (keyof Keys)[];

export type CookieKeyName = (typeof COOKIE_KEYS)[number];

/**
 * Decodes the cookie key, and derives the keys that depend on it.
 * @param digits the secret of the cookie key
 */
export function cookieKeysFromText(digits: string): Pick<Keys, CookieKeyName> {
  return deriveCookieKeys(createSecretKey(digits, 'hex'));
}

function deriveCookieKeys(cookies: KeyObject): Pick<Keys, CookieKeyName> {
  return {
    cookies,
    secretsShownOnce: deriveKey(cookies, 'grantlog secrets shown once'),
    resubmissionGuard: deriveKey(cookies, 'grantlog repeated forms'),
    pendingLogins: deriveKey(cookies, 'grantlog pending logins'),
  };
}

/** Identifies the keys without revealing them: a digest of the public key that verifies checkpoints. */
export function keyFingerprint({ log }: Pick<Keys, 'log'>): string {
  return hash('sha256', createPublicKey(log).export({ format: 'der', type: 'spki' }), 'base64url');
}

/** Derives a different key for each label with HKDF (RFC 5869). */
function deriveKey(key: KeyObject, label: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', label, KEY_BYTES)));
}

const deriveAttestationKey = (seed: KeyObject): KeyObject => deriveKey(seed, 'grantlog attestation');

/** RFC 8410 §7: the prefix of an Ed25519 private key in PKCS #8, before the seed. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function signingKeyFromSeed(seed: KeyObject): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed.export()]), format: 'der', type: 'pkcs8' });
}

/** Derives an Ed25519 key from `key` and `label` with HKDF (RFC 5869), so that it needs neither a file nor a backup. */
export function deriveSigningKey(key: KeyObject, label: string): KeyObject {
  return signingKeyFromSeed(deriveKey(key, label));
}

/** The consequences of losing each key, for messages. */
export const KEY_LOSS_CONSEQUENCES: Readonly<Record<KeyName, string>> = {
  refresh:
    'all existing refresh tokens are refused, and revoking one has no effect (users can revoke the grants on their ' +
    'pages); resource servers can no longer verify JWT access tokens from earlier releases',
  names:
    'the names of accounts whose personal data cannot be decrypted can be registered again, applications with ' +
    'pairwise subjects treat every user as new, tokens are signed with new keys, self-registered applications must ' +
    'register again unless a user has authorized them, and users must link their accounts at providers again',
  cookies: 'all browser sessions end, and open forms must be reloaded',
  log:
    'a different key signs the checkpoints of the log, nothing proves that its earlier events are the ones that ' +
    'were signed, and everyone who keeps checkpoints needs the new public key (grantlog log key)',
};
