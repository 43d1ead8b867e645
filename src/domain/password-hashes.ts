/**
 * A PBKDF2 hash with HMAC-SHA-256: `pbkdf2_sha256$ITERATIONS$SALT$BASE64` (Django's format) if the salt is text, or
 * `pbkdf2_sha256$ITERATIONS$base64$BASE64$BASE64` (an extension of that format) if the salt is binary.
 */
export interface Pbkdf2 {
  readonly iterations: number;
  readonly salt: Uint8Array;
  /** 32 bytes in base64. */
  readonly hash: string;
}

/** About eight times the default of Django 6.0. Verifying a password with this many iterations takes a few seconds. */
const MAX_ITERATIONS = 10_000_000;
/** The maximum memory for argon2id: about two and a half times Django's default. */
const MAX_MEMORY_KIB = 262_144;
const MAX_PASSES = 10;
const MAX_LANES = 16;
/** Argon2 needs at least this much memory for each lane (RFC 9106 §3.1). */
const MIN_MEMORY_KIB_PER_LANE = 8;

const PBKDF2 = /^pbkdf2_sha256\$([1-9]\d{0,7})\$(base64\$)?([^$\s]{1,128})\$([A-Za-z0-9+/]{43}=)$/;
/** Base64 of at least one byte, with padding. The unused bits of the last character must be zero. */
const PADDED_BASE64 =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)$/;
const ARGON2ID =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,8}),t=([1-9]\d{0,8}),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,128})\$([A-Za-z0-9+/]{22,128})$/;
/** Base64 without padding. The unused bits of the last character must be zero. */
const UNPADDED_BASE64 = /^(?:.{4})*(?:.[AQgw]|..[AEIMQUYcgkosw048])?$/;

/** Parses a PBKDF2 hash. Returns undefined if `text` is not such a hash or has too many iterations. */
export function parsePbkdf2(text: string): Pbkdf2 | undefined {
  const [, iterations = '', marker, salt = '', hash = ''] = PBKDF2.exec(text) ?? [];
  if (iterations === '' || Number(iterations) > MAX_ITERATIONS) return undefined;
  if (marker !== undefined && !PADDED_BASE64.test(salt)) return undefined;
  return { iterations: Number(iterations), salt: marker === undefined ? toUtf8(salt) : fromBase64(salt), hash };
}

function toUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Describes the hashes that `parseImportedHash` accepts, for messages. */
export const IMPORTABLE_HASHES =
  `pbkdf2_sha256$… with at most ${MAX_ITERATIONS} iterations, and ` +
  `$argon2id$v=19$… with at most ${MAX_MEMORY_KIB} KiB, at most ${MAX_PASSES} passes, 1 to ${MAX_LANES} lanes, and ` +
  `at least ${MIN_MEMORY_KIB_PER_LANE} KiB per lane`;

/** Returns the stored form of a hash from another server, or undefined if this server cannot verify it. */
export function parseImportedHash(text: string): string | undefined {
  const phc = text.replace(/^argon2\$/, '$'); // Django's prefix
  if (isVerifiableArgon2(phc)) return phc;
  return parsePbkdf2(text) === undefined ? undefined : text;
}

function isVerifiableArgon2(phc: string): boolean {
  const [, memory, passes, lanes, salt = '', hash = ''] = ARGON2ID.exec(phc) ?? [];
  return (
    Number(memory) <= MAX_MEMORY_KIB &&
    Number(passes) <= MAX_PASSES &&
    Number(lanes) <= MAX_LANES &&
    Number(memory) >= Number(lanes) * MIN_MEMORY_KIB_PER_LANE &&
    UNPADDED_BASE64.test(salt) &&
    UNPADDED_BASE64.test(hash)
  );
}
