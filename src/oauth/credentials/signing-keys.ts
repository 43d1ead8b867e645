import { createPublicKey, hash, sign, type KeyObject } from 'node:crypto';

/** RFC 8037 §2, with what RFC 7517 §4 says beside it. */
export interface PublicSigningKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** The keys of JWT access tokens, each of which signs for one period; instants are seconds since the epoch. */
export interface SigningKeys {
  /** A JWS (RFC 7515) of `payload`, the same whenever it is signed for the same instant: Ed25519 leaves nothing to chance. */
  sign(type: string, payload: string, at: number): string;
  /** All that somebody may still or may soon need: from those of tokens that live to the next one. */
  published(now: number): readonly PublicSigningKey[];
}

interface SigningKey {
  readonly key: KeyObject;
  readonly published: PublicSigningKey;
}

/** Ninety days. The next key is published for as long before it is used. */
export const PERIOD_SECONDS = 7_776_000;

/**
 * Keys follow each other by the clock alone: which one signs is in the instant, and there is no file to rotate, to
 * lose, or to miss in a backup.
 * @param keyOf the Ed25519 private key of a label, always the same
 * @param longestLifeSeconds how long a token may live after it was signed
 */
export function createSigningKeys(keyOf: (label: string) => KeyObject, longestLifeSeconds: number): SigningKeys {
  const made = new Map<number, SigningKey>();

  function ofPeriod(period: number): SigningKey {
    const known = made.get(period) ?? toSigningKey(keyOf(`access token signing key ${period}`));
    made.set(period, known);
    return known;
  }

  return {
    sign(type, payload, at) {
      const { key, published } = ofPeriod(periodOf(at));
      const header = JSON.stringify({ alg: published.alg, typ: type, kid: published.kid });
      const signed = `${base64url(header)}.${base64url(payload)}`;
      return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
    },

    published(now) {
      const oldest = Math.max(0, periodOf(now - longestLifeSeconds));
      const next = periodOf(now) + 1;
      return Array.from({ length: next - oldest + 1 }, (_, index) => ofPeriod(oldest + index).published);
    },
  };
}

function periodOf(at: number): number {
  return Math.floor(at / PERIOD_SECONDS);
}

/** The id is the key's own thumbprint (RFC 7638 §3): no two servers' keys share one. */
function toSigningKey(key: KeyObject): SigningKey {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
  return { key, published: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
