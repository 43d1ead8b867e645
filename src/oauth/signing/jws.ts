import { constants, sign, verify, type KeyObject, type SignKeyObjectInput } from 'node:crypto';
import { promisify } from 'node:util';
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import type { SigningAlgorithm } from '../../domain/values.ts';

/** RFC 7515 §4.1: the header parameters of every JWS from this server, in this order. */
export interface JwsHeader {
  readonly alg: SigningAlgorithm;
  readonly typ: string;
  readonly kid: string;
}

type Options = Omit<SignKeyObjectInput, 'key'>;

/** The signature scheme of each algorithm (RFC 7518 §3.3 to §3.5, RFC 8037 §3.1). */
const SCHEMES: Readonly<Record<SigningAlgorithm, { readonly digest: string | null; readonly options: Options }>> = {
  RS256: { digest: 'sha256', options: { padding: constants.RSA_PKCS1_PADDING } },
  ES256: { digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  PS256: { digest: 'sha256', options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } },
  EdDSA: { digest: null, options: {} },
};

const signInPool = promisify(sign);
const verifyInPool = promisify(verify);

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Returns the signing input (RFC 7515 §2). The same header and payload always yield the same bytes. */
export function signingInput({ alg, typ, kid }: JwsHeader, payload: object): string {
  return `${base64url(JSON.stringify({ alg, typ, kid }))}.${base64url(JSON.stringify(payload))}`;
}

/**
 * Signs in the thread pool. Uses Node's `sign` instead of `jose`, which takes more than twice the processor time for
 * EdDSA and ES256, all of it on the event loop (`npm run bench -- micro`).
 * @returns the JWS in compact serialization (RFC 7515 §7.1)
 */
export async function signJws(key: KeyObject, header: JwsHeader, payload: object): Promise<string> {
  const { digest, options } = SCHEMES[header.alg];
  const input = signingInput(header, payload);
  const signature = await signInPool(digest, Buffer.from(input), { key, ...options });
  return `${input}.${signature.toString('base64url')}`;
}

/** Reports whether the JWS has a valid signature made with this algorithm and key. Verifies in the thread pool. */
export function hasValidSignature(jws: string, algorithm: SigningAlgorithm, key: KeyObject): Promise<boolean> {
  const { digest, options } = SCHEMES[algorithm];
  const inputEnd = jws.lastIndexOf('.');
  const signature = Buffer.from(jws.slice(inputEnd + 1), 'base64url');
  return verifyInPool(digest, Buffer.from(jws.slice(0, inputEnd)), { key, ...options }, signature);
}

/** Returns the header of a JWS, or undefined if the header is malformed. Nothing is verified. */
export function unverifiedHeader(jws: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return { ...decodeProtectedHeader(jws) };
  } catch {
    return undefined;
  }
}

/** Returns the key id in the header of a JWS, or undefined if the header has no key id. Nothing is verified. */
export function unverifiedKeyId(jws: string): string | undefined {
  const kid = unverifiedHeader(jws)?.['kid'];
  return typeof kid === 'string' ? kid : undefined;
}

/** Returns the claims of a JWT, or undefined for any other string. Nothing is verified. */
export function unverifiedClaims(jwt: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return decodeJwt(jwt);
  } catch {
    return undefined;
  }
}

/** A key that may have signed a JWS. */
export interface VerificationKey {
  readonly algorithm: SigningAlgorithm;
  readonly key: KeyObject;
}

/**
 * Returns the payload of a JWS, or undefined if it was not signed with an accepted key of this server, its type is not
 * one of `types`, or its payload is not a JSON object.
 * @param find returns the key with the id `kid`, or undefined if its signatures are not accepted
 */
export async function verifyJws(
  jws: string,
  types: readonly string[],
  find: (kid: string) => VerificationKey | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const verificationKey = find(unverifiedKeyId(jws) ?? '');
  if (verificationKey === undefined) return undefined;
  try {
    const { payload, protectedHeader } = await compactVerify(jws, verificationKey.key, {
      algorithms: [verificationKey.algorithm],
    });
    if (!types.includes(protectedHeader.typ ?? '')) return undefined;
    const claims: unknown = JSON.parse(Buffer.from(payload).toString('utf8'));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
