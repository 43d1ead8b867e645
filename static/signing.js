// Signs the JWTs of an application: assertions, request objects and proofs. Private keys do not leave the page.

const EC = { name: 'ECDSA', namedCurve: 'P-256' };
const ALGORITHMS = {
  ES256: { key: EC, sign: { name: 'ECDSA', hash: 'SHA-256' } },
  EdDSA: { key: { name: 'Ed25519' }, sign: { name: 'Ed25519' } },
  PS256: { key: { name: 'RSA-PSS', hash: 'SHA-256' }, sign: { name: 'RSA-PSS', saltLength: 32 } },
  RS256: { key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, sign: { name: 'RSASSA-PKCS1-v1_5' } },
};
const ALGORITHM_OF_KEY_TYPE = { EC: 'ES256', OKP: 'EdDSA' };
const LIFETIME_SECONDS = 60;

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const bytesOf = (text) => new TextEncoder().encode(text);
const encode = (part) => base64url(bytesOf(JSON.stringify(part)));

/** Imports a key. Returns it with its algorithm and, if it has one, its id. */
async function importKey(alg, format, material, kid) {
  const key = await crypto.subtle.importKey(format, material, ALGORITHMS[alg].key, false, ['sign']);
  return { key, alg, kid };
}

/**
 * Reads the private key from a pasted text: a JWK, or PKCS #8 in PEM format.
 * @param rsaAlgorithm the algorithm for an RSA key, which fits several
 * @returns undefined if the text is not a private key
 */
export async function readPrivateKey(text, rsaAlgorithm) {
  const pem = /-----BEGIN PRIVATE KEY-----([\s\S]*?)-----END PRIVATE KEY-----/.exec(text);
  try {
    if (pem === null) {
      const { kty, alg, kid, use: _use, key_ops: _ops, ...jwk } = JSON.parse(text);
      return await importKey(alg ?? ALGORITHM_OF_KEY_TYPE[kty] ?? rsaAlgorithm, 'jwk', { kty, ...jwk }, kid);
    }
    const der = Uint8Array.from(atob(pem[1].replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
    const attempts = ['ES256', rsaAlgorithm, 'EdDSA'].map((alg) => importKey(alg, 'pkcs8', der));
    return await Promise.any(attempts);
  } catch {
    return undefined;
  }
}

/** Generates a key pair for signing, as JWKs. */
export async function generateKeyPair() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(EC, true, ['sign', 'verify']);
  const kid = `try-it-${base64url(crypto.getRandomValues(new Uint8Array(6)))}`;
  const [privateJwk, publicJwk] = await Promise.all(
    [privateKey, publicKey].map(async (key) => {
      const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', key);
      return { kty, crv, x, y, ...(d ? { d } : {}), kid, alg: 'ES256' };
    }),
  );
  return { privateJwk, publicJwk };
}

async function sign({ key, alg }, header, claims) {
  const input = `${encode({ alg, ...header })}.${encode(claims)}`;
  return `${input}.${base64url(await crypto.subtle.sign(ALGORITHMS[alg].sign, key, bytesOf(input)))}`;
}

const withId = ({ kid }) => (kid === undefined ? {} : { kid });

/** Signs a client assertion (RFC 7523 §3). `now` is in seconds. */
export function assertion(key, { clientId, issuer, now }) {
  const times = { iat: now, exp: now + LIFETIME_SECONDS };
  return sign(key, withId(key), { iss: clientId, sub: clientId, aud: issuer, jti: crypto.randomUUID(), ...times });
}

/** Signs a request object (RFC 9101 §4) with the parameters of an authorization request. */
export function requestObject(key, parameters, { clientId, issuer, now }) {
  const header = { typ: 'oauth-authz-req+jwt', ...withId(key) };
  return sign(key, header, { ...parameters, iss: clientId, aud: issuer, nbf: now, exp: now + LIFETIME_SECONDS });
}

/** Creates a new key that cannot be extracted, and returns a function that signs proofs with it (RFC 9449 §4). */
export async function createProver() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(EC, false, ['sign', 'verify']);
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const header = { typ: 'dpop+jwt', jwk: { kty, crv, x, y } };
  return async ({ method, url, accessToken, nonce, now }) => {
    const ath = accessToken && base64url(await crypto.subtle.digest('SHA-256', bytesOf(accessToken)));
    const claims = { jti: crypto.randomUUID(), htm: method, htu: url, iat: now, ath, nonce };
    return sign({ key: privateKey, alg: 'ES256' }, header, claims);
  };
}
