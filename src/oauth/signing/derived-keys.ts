import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';
import { unverifiedKeyId, signingInput, type VerificationKey } from './jws.ts';
import type { PublishedKey } from './public-keys.ts';

/**
 * The Ed25519 keys that signed JWT access tokens before the log had signing keys: one for each period, derived from one
 * of the server's keys. They sign no new tokens. Times are in seconds since the epoch.
 */
export interface DerivedKeys {
  /** Returns `payload` as a JWS signed with the key for the time `at`. Deterministic: Ed25519 uses no randomness. */
  sign(type: string, payload: object, at: number): string;
  /** Reports whether one of these keys signed the JWS recently enough for its token to still be valid. */
  hasSigned(jws: string, now: number): boolean;
  /** Returns the key with this id, or undefined if no token that it signed is still valid. */
  find(kid: string, now: number): VerificationKey | undefined;
  /**
   * Returns the keys of all tokens that may still be valid.
   * @param usedUntil when the last token was signed; undefined if none was
   */
  publishedKeys(now: number, usedUntil: number | undefined): readonly PublishedKey[];
}

interface DerivedKey {
  readonly key: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PublishedKey;
}

/** Ninety days. */
export const PERIOD_SECONDS = 7_776_000;

/** How long another node may still sign with these keys after the first signing key was recorded in the log. */
const GRACE_SECONDS = 60;

/**
 * @param keyFor returns the Ed25519 private key for a label, always the same key for the same label
 * @param maxLifetimeSeconds the longest lifetime of a signed token
 */
export function createDerivedKeys(keyFor: (label: string) => KeyObject, maxLifetimeSeconds: () => number): DerivedKeys {
  const cache = new Map<number, DerivedKey>();

  function derivedKey(period: number): DerivedKey {
    const cachedKey = cache.get(period) ?? toDerivedKey(keyFor(`access token signing key ${period}`));
    cache.set(period, cachedKey);
    return cachedKey;
  }

  function keysBetween(first: number, last: number): readonly DerivedKey[] {
    const [oldest, newest] = [Math.max(0, periodOf(first)), periodOf(last)];
    return Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, index) => derivedKey(oldest + index));
  }

  const findKey = (kid: string | undefined, now: number): DerivedKey | undefined =>
    keysBetween(now - maxLifetimeSeconds(), now).find(({ jwk }) => jwk.kid === kid);

  return {
    sign(typ, payload, at) {
      const { key, jwk } = derivedKey(periodOf(at));
      const input = signingInput({ alg: 'EdDSA', typ, kid: jwk.kid }, payload);
      return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
    },

    hasSigned(jws, now) {
      const key = findKey(unverifiedKeyId(jws), now);
      const inputEnd = jws.lastIndexOf('.');
      const signature = Buffer.from(jws.slice(inputEnd + 1), 'base64url');
      return key !== undefined && verify(null, Buffer.from(jws.slice(0, inputEnd)), key.publicKey, signature);
    },

    find(kid, now) {
      const match = findKey(kid, now);
      return match && { algorithm: 'EdDSA', key: match.publicKey };
    },

    publishedKeys(now, usedUntil) {
      if (usedUntil === undefined) return [];
      const [first, last] = [now - maxLifetimeSeconds(), Math.min(now, usedUntil + GRACE_SECONDS)];
      return first > last ? [] : keysBetween(first, last).map(({ jwk }) => jwk);
    },
  };
}

function periodOf(at: number): number {
  return Math.floor(at / PERIOD_SECONDS);
}

function toDerivedKey(key: KeyObject): DerivedKey {
  const publicKey = createPublicKey(key);
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
  return { key, publicKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}
