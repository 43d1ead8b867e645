import { createHmac, hash, type KeyObject } from 'node:crypto';
import type { CredentialHash, GrantId } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import { crc32 } from './crc32.ts';

/**
 * Codes, tokens and client secrets: 256 random bits behind a prefix that says what they are, before
 * a check that catches a mistyped one without a look-up.
 *
 *   access token    gla_ <secret 43> <check 6>               or a JWT: see access-token-format.ts
 *   refresh token   glr_ <grant 22> <secret 43> <tag 22> <check 6>   see refresh-tokens.ts
 *   code            glc_ <grant 22> <secret 43> <check 6>
 *   client secret   gls  <secret 43> <check 6>               letters and digits only
 *
 * What can be spent only once names its grant, because its stream decides on it and no index.
 */
const SECRET_BYTES = 32;
const SECRET_CHARS = 43;
const ID_BYTES = 16;
const ID_CHARS = 22;
const PREFIX_CHARS = 4;
const CHECKSUM_CHARS = 6;

/** A credential on its way to the client, and all that is kept of it. */
export interface Minted {
  readonly value: string;
  readonly hash: CredentialHash;
}

/** A code or a refresh token as presented. */
export interface PresentedCredential {
  readonly grantId: GrantId;
  readonly hash: CredentialHash;
}

/** SHA-256 of the whole credential: it has 256 random bits, so a slow hash would protect nothing more. */
export function hashCredential(value: string): CredentialHash {
  return hash('sha256', value, 'base64url') as CredentialHash;
}

/** 128 random bits in 22 base64url characters. */
export function mintId<Id extends string>(entropy: Entropy): Id {
  return entropy.bytes(ID_BYTES).toString('base64url') as Id;
}

const REQUEST_ID_BATCH = 16;
const BITS_PER_CHARACTER = 6;

/**
 * Ids of requests, each of 132 random bits: nothing secret, so they are drawn and written many at a time, in a quarter of the
 * time. Never with a dash in front: they are copied onto command lines, where that begins an option.
 */
export function requestIdGenerator(entropy: Entropy): () => string {
  const drawn = Buffer.alloc(REQUEST_ID_BATCH * ID_CHARS);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      drawn.write(entropy.bytes((drawn.length * BITS_PER_CHARACTER) / 8).toString('base64url'), 'latin1');
      used = 0;
    }
    const id = drawn.toString('latin1', used, used + ID_CHARS); // a string of its own: a part of a long one would keep all of that
    used += ID_CHARS;
    return id.startsWith('-') ? `_${id.slice(1)}` : id;
  };
}

/** 22 letters and digits: what raw and form-encoded Basic credentials agree on. */
export function mintClientId(entropy: Entropy): string {
  return base62(entropy.bytes(ID_BYTES), ID_CHARS);
}

export function mintAccessToken(entropy: Entropy): Minted {
  return withChecksum(`gla_${entropy.bytes(SECRET_BYTES).toString('base64url')}`);
}

/** What a code is made from: 256 random bits. */
export function mintNonce(entropy: Entropy): string {
  return entropy.bytes(SECRET_BYTES).toString('base64url');
}

/**
 * The code that a nonce comes to, and the grant that it begins. The same nonce gives the same code, so that a consent
 * form that is posted twice says one thing; it is never stored, and without the key nobody can tell the code from it.
 */
export function deriveCode(nonce: string, key: KeyObject): { readonly grantId: GrantId; readonly code: Minted } {
  const derive = (label: string): Buffer => createHmac('sha256', key).update(`${label}:${nonce}`).digest();
  const grantId = derive('grant').subarray(0, ID_BYTES).toString('base64url') as GrantId;
  return { grantId, code: withChecksum(`glc_${grantId}${derive('code').toString('base64url')}`) };
}

export function mintClientSecret(entropy: Entropy): Minted {
  const body = `gls${base62(entropy.bytes(SECRET_BYTES), SECRET_CHARS)}`;
  const value = `${body}${base62(checksumBytes(body), CHECKSUM_CHARS)}`;
  return { value, hash: hashCredential(value) };
}

const CLIENT_SECRET = /^gls[0-9A-Za-z]{49}$/;

/** Whether a client secret was made by such a server as this one, here or elsewhere, and not chosen by anybody. */
export function isClientSecret(value: string): boolean {
  if (!CLIENT_SECRET.test(value)) return false;
  return base62(checksumBytes(value.slice(0, -CHECKSUM_CHARS)), CHECKSUM_CHARS) === value.slice(-CHECKSUM_CHARS);
}

/** A JWS of a JSON object, signed with Ed25519; what it says and whose signature it is, is not looked at. */
const JWT = /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{86}$/;

const ACCESS_TOKEN = /^gla_[\w-]{49}$/;
const CODE = /^glc_[\w-]{71}$/;

/** Whether it could be an access token of ours; whether it is one, the projection knows: for a JWT, too, the look-up is the proof. */
export function parseAccessToken(value: string): CredentialHash | undefined {
  return hasValidChecksum(value, ACCESS_TOKEN) || isJwt(value) ? hashCredential(value) : undefined;
}

export function isJwt(value: string): boolean {
  return JWT.test(value);
}

export function parseCode(value: string): PresentedCredential | undefined {
  return hasValidChecksum(value, CODE) ? parseGrantCredential(value) : undefined;
}

/** What a code or a refresh token says by itself. */
export function parseGrantCredential(value: string): PresentedCredential {
  return { grantId: value.slice(PREFIX_CHARS, PREFIX_CHARS + ID_CHARS) as GrantId, hash: hashCredential(value) };
}

/** The credential that `body` becomes with its check. */
export function withChecksum(body: string): Minted {
  const value = body + checksum(body);
  return { value, hash: hashCredential(value) };
}

/** Whether the value has that form, and the check that belongs to it. */
export function hasValidChecksum(value: string, form: RegExp): boolean {
  return form.test(value) && checksum(value.slice(0, -CHECKSUM_CHARS)) === value.slice(-CHECKSUM_CHARS);
}

/** RFC 4648 §5, by value. */
export const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** CRC-32, in base64url: against typing errors and truncation, not against forgers; those must guess 256 bits. */
function checksum(body: string): string {
  const crc = crc32(body);
  let check = '';
  for (let shift = 26; shift > 0; shift -= 6) check += BASE64URL.charAt((crc >>> shift) & 0x3f);
  return check + BASE64URL.charAt((crc << 4) & 0x3f);
}

/** The same as bytes. */
function checksumBytes(body: string): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The bytes as a number in base 62, `chars` digits long: for ids and secrets, not for hot paths. */
function base62(bytes: Buffer, chars: number): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  for (let index = 0; index < chars; index += 1) {
    digits = BASE62.charAt(Number(number % 62n)) + digits;
    number /= 62n;
  }
  return digits;
}
