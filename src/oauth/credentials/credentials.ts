import { hash } from 'node:crypto';
import type { CredentialHash, GrantId } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import { crc32 } from './crc32.ts';

/**
 * Codes, tokens and client secrets consist of a prefix that identifies their kind, 168 or 256 bits that are random or
 * derived from a secret, and a checksum that catches typos without a lookup. The tag of a code or token proves that
 * this server created it.
 *
 *   access token    gla_ <secret 28> <tag 15> <checksum 6>              see tagged-credentials.ts; or a JWT
 *   refresh token   glr_ <grant 22> <secret 43> <tag 22> <checksum 6>   see refresh-tokens.ts
 *   code            glc_ <grant 22> <secret 28> <tag 15> <checksum 6>   see tagged-credentials.ts
 *   client secret   gls  <secret 43> <checksum 6>                       letters and digits only
 *
 * Single-use credentials contain the id of their grant, because the stream of the grant determines whether they are
 * valid.
 */

const SECRET_BYTES = 32;
const SECRET_CHARS = 43;
export const ID_BYTES = 16;
const ID_CHARS = 22;
const PREFIX_CHARS = 4;
export const CHECKSUM_CHARS = 6;

/** A credential for the client, and its hash. The server stores only the hash. */
export interface MintedCredential {
  readonly value: string;
  readonly hash: CredentialHash;
}

/** A code or refresh token from a request. */
export interface PresentedCredential {
  readonly grantId: GrantId;
  readonly hash: CredentialHash;
}

/**
 * Returns the SHA-256 hash of the whole credential. A slow hash would add nothing: a credential that this server
 * created has at least 168 bits that cannot be guessed.
 */
export function hashCredential(value: string): CredentialHash {
  return hash('sha256', value, 'base64url') as CredentialHash;
}

/** Returns 128 random bits as 22 base64url characters. */
export function mintId<Id extends string>(entropy: Entropy): Id {
  return entropy.bytes(ID_BYTES).toString('base64url') as Id;
}

const REQUEST_ID_BATCH = 16;
const BITS_PER_CHARACTER = 6;

/**
 * Returns a generator of request ids with 132 random bits each. The ids are not secret, so they can be generated and
 * encoded in batches, which takes a quarter of the time. No id starts with a dash, because users paste ids into command
 * lines.
 */
export function requestIdGenerator(entropy: Entropy): () => string {
  const batch = Buffer.alloc(REQUEST_ID_BATCH * ID_CHARS);
  let offset = batch.length;
  return () => {
    if (offset === batch.length) {
      batch.write(entropy.bytes((batch.length * BITS_PER_CHARACTER) / 8).toString('base64url'), 'latin1');
      offset = 0;
    }
    // Copies the characters: a slice would keep the whole batch in memory.
    const id = batch.toString('latin1', offset, offset + ID_CHARS);
    offset += ID_CHARS;
    return id.startsWith('-') ? `_${id.slice(1)}` : id;
  };
}

/** Returns 22 letters and digits, which need no form-encoding in Basic credentials. */
export function mintClientId(entropy: Entropy): string {
  return base62(entropy.bytes(ID_BYTES), ID_CHARS);
}

/** Returns 256 random bits as 43 base64url characters. */
export function mintNonce(entropy: Entropy): string {
  return entropy.bytes(SECRET_BYTES).toString('base64url');
}

/** Returns a new client secret of 256 random bits. */
export function mintClientSecret(entropy: Entropy): MintedCredential {
  const body = `gls${base62(entropy.bytes(SECRET_BYTES), SECRET_CHARS)}`;
  const value = `${body}${base62(checksumBytes(body), CHECKSUM_CHARS)}`;
  return { value, hash: hashCredential(value) };
}

const CLIENT_SECRET = /^gls[0-9A-Za-z]{49}$/;

/** Reports whether the value has the format and checksum of a generated client secret. No human would choose it. */
export function isGeneratedSecret(value: string): boolean {
  if (!CLIENT_SECRET.test(value)) return false;
  return base62(checksumBytes(value.slice(0, -CHECKSUM_CHARS)), CHECKSUM_CHARS) === value.slice(-CHECKSUM_CHARS);
}

/**
 * The syntax of a JWS with a JSON object as its payload and a signature of 512 bits (EdDSA, ES256) or 2048 bits (RS256,
 * PS256). The content and the signature are not checked.
 */
const JWT = /^eyJ[\w-]+\.eyJ[\w-]+\.(?:[\w-]{86}|[\w-]{342})$/;

/** The start of a JWT with a random signature: `{"alg":"ES256"` or `{"alg":"PS256"`, in base64url. */
const RANDOM_SIGNATURE = /^eyJhbGciOiJ[FQ]UzI1/;

const ACCESS_TOKEN = /^gla_[\w-]{49}$/;
const CODE = /^glc_[\w-]{71}$/;

/**
 * Returns the hash of an access token, or undefined if the token is malformed. Does not check whether the token is
 * valid: see `presented-tokens.ts`.
 */
export function parseAccessToken(value: string): CredentialHash | undefined {
  if (hasValidChecksum(value, ACCESS_TOKEN)) return hashCredential(value);
  return isJwt(value) ? hashJwt(value) : undefined;
}

/**
 * Returns the hash of a JWT as recorded in the log. ES256 and PS256 signatures are random, so a repeated response has a
 * different signature. The hash of such a JWT therefore covers only the signing input, and the signature is verified
 * when the JWT is presented.
 */
export function hashJwt(value: string): CredentialHash {
  return hashCredential(hasRandomSignature(value) ? value.slice(0, value.lastIndexOf('.')) : value);
}

/** Reports whether signing the same JWT again yields a different signature. Returns false for an opaque token. */
export function hasRandomSignature(value: string): boolean {
  return RANDOM_SIGNATURE.test(value);
}

/** Reports whether the value has the syntax of a JWT from this server. */
export function isJwt(value: string): boolean {
  return JWT.test(value);
}

/** Returns the grant id and the hash of a code, or undefined if its format or checksum is invalid. */
export function parseCode(value: string): PresentedCredential | undefined {
  return hasValidChecksum(value, CODE) ? parseGrantCredential(value) : undefined;
}

/** Returns the grant id and the hash of a code or refresh token. Does not check the value. */
export function parseGrantCredential(value: string): PresentedCredential {
  return { grantId: value.slice(PREFIX_CHARS, PREFIX_CHARS + ID_CHARS) as GrantId, hash: hashCredential(value) };
}

/** Returns the credential that consists of `body` and its checksum. */
export function withChecksum(body: string): MintedCredential {
  const value = body + checksum(body);
  return { value, hash: hashCredential(value) };
}

/** Reports whether the value has the format and ends with the correct checksum. */
export function hasValidChecksum(value: string, format: RegExp): boolean {
  return format.test(value) && checksum(value.slice(0, -CHECKSUM_CHARS)) === value.slice(-CHECKSUM_CHARS);
}

/** The base64url alphabet (RFC 4648 §5), in order. */
export const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns the CRC-32 of `body` in base64url. It detects typos and truncation, but does not protect against forgery. */
function checksum(body: string): string {
  const crc = crc32(body);
  let characters = '';
  for (let shift = 26; shift > 0; shift -= 6) characters += BASE64URL.charAt((crc >>> shift) & 0x3f);
  return characters + BASE64URL.charAt((crc << 4) & 0x3f);
}

/** Returns the CRC-32 of `body` as four bytes. */
function checksumBytes(body: string): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the bytes as a base-62 number with `chars` digits. BigInt is slow: only for ids and client secrets. */
function base62(bytes: Buffer, chars: number): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  for (let index = 0; index < chars; index += 1) {
    digits = BASE62.charAt(Number(number % 62n)) + digits;
    number /= 62n;
  }
  return digits;
}
