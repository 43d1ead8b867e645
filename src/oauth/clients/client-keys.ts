import { createPublicKey, type KeyObject } from 'node:crypto';
import { algorithmsOf, type ClientKey } from '../../domain/client-authentication.ts';
import type { PublicKey } from '../../domain/public-key.ts';
import { SIGNING_ALGORITHMS } from '../../domain/values.ts';
import { joinTexts, message, type Message } from '../../language/message.ts';
import { readCertificate } from '../../platform/certificates/certificate.ts';
import { publicKeyObject, thumbprintOf } from '../signing/public-keys.ts';
import { isPointOfLargeOrder } from './ed25519-points.ts';

/** Enough for two keys per algorithm, which a client needs while it replaces its keys. */
export const MAX_CLIENT_KEYS = 10;
const MAX_KID_LENGTH = 256;
/** RFC 7518 §3.3 requires at least 2,048 bits. The maximum limits the time that a verification takes. */
const RSA_BITS = { min: 2_048, max: 8_192 };

/** The JWK members that contain a private or symmetric key (RFC 7518 §6.2.2, §6.3.2 and §6.4, RFC 8037 §2). */
export const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

/**
 * Returns the public keys of a JWK set (RFC 7517 §5), or the problem with the set. JWK members that this server does
 * not use are ignored.
 */
export async function readClientKeys(
  set: unknown,
): Promise<{ readonly keys: readonly ClientKey[] } | { readonly problem: Message }> {
  const jwks = isObject(set) ? set['keys'] : undefined;
  if (!Array.isArray(jwks)) return { problem: message('jwks.not-a-set') };
  if (jwks.length === 0 || jwks.length > MAX_CLIENT_KEYS)
    return { problem: message('jwks.count', { limit: MAX_CLIENT_KEYS, count: jwks.length }) };
  const keys: ClientKey[] = [];
  for (const [index, jwk] of jwks.entries()) {
    const result = await readKey(jwk);
    if ('problem' in result) return { problem: message('jwks.key', { number: index + 1, problem: result.problem }) };
    keys.push(result);
  }
  if (new Set(keys.map(({ keyId }) => keyId)).size < keys.length) return { problem: message('jwks.repeated') };
  return { keys };
}

/** Enough to replace keys for several algorithms, and few enough to try every key. */
const MAX_PUBLISHED_KEYS = 20;

/**
 * Returns the usable keys of a JWK set that a client publishes, or the problem with the set, phrased as the end of a
 * sentence. Keys that cannot verify signatures here are left out (RFC 7517 §5), but a private key invalidates the set.
 */
export async function readPublishedKeys(
  set: unknown,
): Promise<{ readonly keys: readonly ClientKey[] } | { readonly problem: Message }> {
  const jwks = isObject(set) ? set['keys'] : undefined;
  if (!Array.isArray(jwks)) return { problem: message('published-keys.not-a-set') };
  if (jwks.length > MAX_PUBLISHED_KEYS)
    return { problem: message('published-keys.count', { count: jwks.length, limit: MAX_PUBLISHED_KEYS }) };
  if (jwks.some((jwk) => isObject(jwk) && PRIVATE_MEMBERS.some((member) => member in jwk)))
    return { problem: message('published-keys.private') };
  const results = await Promise.all(jwks.map(readKey));
  const keys = results.flatMap((key) => ('problem' in key ? [] : [key]));
  return keys.length === 0 ? { problem: message('published-keys.unusable') } : { keys };
}

async function readKey(jwk: unknown): Promise<ClientKey | { readonly problem: Message }> {
  if (!isObject(jwk)) return { problem: message('jwk.not-object') };
  const privateMember = PRIVATE_MEMBERS.find((member) => member in jwk);
  if (privateMember !== undefined) return { problem: message('jwk.private', { member: privateMember }) };
  const { kid = null, alg = null, use = 'sig', x5c } = jwk;
  if (kid !== null && (typeof kid !== 'string' || kid === '' || kid.length > MAX_KID_LENGTH))
    return { problem: message('jwk.kid', { limit: MAX_KID_LENGTH }) };
  if (use !== 'sig') return { problem: message('jwk.use') };
  const publicKey = publicKeyOf(jwk);
  if (publicKey === undefined) return { problem: message('jwk.unsound') };
  if (x5c !== undefined && !certifies(x5c, publicKey)) return { problem: message('jwk.certificate') };
  const algorithm = alg === null ? null : SIGNING_ALGORITHMS.find((candidate) => candidate === alg);
  if (algorithm === undefined || (algorithm !== null && !algorithmsOf(publicKey).includes(algorithm)))
    return {
      problem: message('jwk.algorithm', { choices: joinTexts(algorithmsOf(publicKey), 'problem.either') ?? '' }),
    };
  return { keyId: await thumbprintOf(publicKey), kid, algorithm, publicKey };
}

/**
 * Reports whether the first certificate in `x5c` contains the key (RFC 7517 §4.7). Nothing else in the certificate is
 * checked, because a client can renew the certificate and keep the key.
 */
function certifies(x5c: unknown, publicKey: PublicKey): boolean {
  const [first]: readonly unknown[] = Array.isArray(x5c) ? x5c : [];
  const certificate = typeof first === 'string' ? readCertificate(Buffer.from(first, 'base64')) : undefined;
  const jwk = certificate === undefined ? {} : exportJwk(certificate.publicKey);
  return Object.entries(publicKey).every(([member, value]) => new Map(Object.entries(jwk)).get(member) === value);
}

/** Returns the key as a JWK, or an empty object if keys of its type, such as RSA-PSS, cannot be exported as JWKs. */
function exportJwk(key: KeyObject): object {
  try {
    return key.export({ format: 'jwk' });
  } catch {
    return {};
  }
}

/** The largest four-byte number. Longer exponents would make verification slow, and libraries use 65,537. */
const MAX_EXPONENT = 0xffff_ffffn;
/** With an exponent of 1, anyone could forge signatures. */
const MIN_EXPONENT = 3n;

/** Returns the public key in a JWK, without other members, or undefined if the key cannot be used. */
export function publicKeyOf(jwk: Readonly<Record<string, unknown>>): PublicKey | undefined {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
  const { kty, n, e, crv, x, y } = key.export({ format: 'jwk' });
  if (kty === 'RSA' && n && e && isUsableRsaKey(key)) return { kty, n, e };
  if (kty === 'EC' && crv === 'P-256' && x && y) return { kty, crv, x, y };
  const isUsableEd25519Key =
    kty === 'OKP' && crv === 'Ed25519' && x && isPointOfLargeOrder(Buffer.from(x, 'base64url'));
  return isUsableEd25519Key ? { kty, crv, x } : undefined;
}

function isUsableRsaKey({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }: KeyObject): boolean {
  const isSafeExponent = publicExponent >= MIN_EXPONENT && publicExponent <= MAX_EXPONENT && publicExponent % 2n === 1n;
  return isSafeExponent && modulusLength >= RSA_BITS.min && modulusLength <= RSA_BITS.max;
}

const keyObjects = new WeakMap<PublicKey, KeyObject>();

/** Returns the key as a `KeyObject`. Each `publicKey` object is parsed only once. */
export function keyObjectOf({ publicKey }: ClientKey): KeyObject {
  const keyObject = keyObjects.get(publicKey) ?? publicKeyObject(publicKey);
  keyObjects.set(publicKey, keyObject);
  return keyObject;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
