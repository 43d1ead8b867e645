import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';

/** RFC 8037 §2, with the members of RFC 7517 §4. */
export interface PublicSigningKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** The keys that sign JWT access tokens, one for each period. Times are in seconds since the epoch. */
export interface SigningKeys {
  /** A JWS (RFC 7515) of `payload`. Deterministic, because Ed25519 uses no randomness. */
  sign(type: string, payload: string, at: number): string;
  /** Whether a JWS of a token that may still be valid has a signature of this server. */
  hasSigned(jws: string, now: number): boolean;
  /** The keys of all tokens that may still be valid, the current one, and the next one. */
  published(now: number): readonly PublicSigningKey[];
}

interface SigningKey {
  readonly key: KeyObject;
  readonly publicKey: KeyObject;
  readonly published: PublicSigningKey;
}

/** Ninety days. Each key is published for one period before it is used. */
export const PERIOD_SECONDS = 7_776_000;

/**
 * The time alone selects the key, so there is no key file to rotate, lose or forget in a backup.
 * @param keyFor returns the Ed25519 private key for a label, always the same
 * @param maxLifetimeSeconds the longest lifetime of a signed token
 */
export function createSigningKeys(keyFor: (label: string) => KeyObject, maxLifetimeSeconds: number): SigningKeys {
  const cache = new Map<number, SigningKey>();

  function signingKey(period: number): SigningKey {
    const known = cache.get(period) ?? toSigningKey(keyFor(`access token signing key ${period}`));
    cache.set(period, known);
    return known;
  }

  function keysAt(now: number): readonly SigningKey[] {
    const oldest = Math.max(0, periodOf(now - maxLifetimeSeconds));
    const next = periodOf(now) + 1;
    return Array.from({ length: next - oldest + 1 }, (_, index) => signingKey(oldest + index));
  }

  return {
    sign(type, payload, at) {
      const { key, published } = signingKey(periodOf(at));
      const header = JSON.stringify({ alg: published.alg, typ: type, kid: published.kid });
      const signed = `${base64url(header)}.${base64url(payload)}`;
      return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
    },

    hasSigned(jws, now) {
      const kid = keyIdOf(jws);
      const signer = keysAt(now).find(({ published }) => published.kid === kid);
      const end = jws.lastIndexOf('.');
      const signature = Buffer.from(jws.slice(end + 1), 'base64url');
      return signer !== undefined && verify(null, Buffer.from(jws.slice(0, end)), signer.publicKey, signature);
    },

    published: (now) => keysAt(now).map(({ published }) => published),
  };
}

function periodOf(at: number): number {
  return Math.floor(at / PERIOD_SECONDS);
}

/** The key id is the thumbprint (RFC 7638 §3), so keys of different servers never share an id. */
function toSigningKey(key: KeyObject): SigningKey {
  const publicKey = createPublicKey(key);
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
  return { key, publicKey, published: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}

/** Undefined if the header is not that of a signed token. */
function keyIdOf(jws: string): unknown {
  try {
    const header: unknown = JSON.parse(Buffer.from(jws.slice(0, jws.indexOf('.')), 'base64url').toString());
    return typeof header === 'object' && header !== null && 'kid' in header ? header.kid : undefined;
  } catch {
    return undefined;
  }
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
