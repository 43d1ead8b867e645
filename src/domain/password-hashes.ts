/** A PBKDF2 hash with HMAC-SHA-256 in Django's format: `pbkdf2_sha256$ITERATIONS$SALT$BASE64`. */
export interface Pbkdf2 {
  readonly iterations: number;
  /** The salt is this text in UTF-8. */
  readonly salt: string;
  /** 32 bytes in base64. */
  readonly hash: string;
}

/** A wrong password costs the server this much work: some seconds, and eight times Django's default. */
const MAX_ITERATIONS = 10_000_000;
/** For argon2id: two and a half times Django's default. */
const MAX_MEMORY_KIB = 262_144;
const MAX_PASSES = 10;

const PBKDF2 = /^pbkdf2_sha256\$([1-9]\d{0,7})\$([^$\s]{1,128})\$([A-Za-z0-9+/]{43}=)$/;
const ARGON2ID =
  /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(?:\d|1[0-6])\$[A-Za-z0-9+/]{11,128}\$[A-Za-z0-9+/]{22,128}$/;

/** Parses a PBKDF2 hash; undefined if `text` is not one or has too many iterations. */
export function parsePbkdf2(text: string): Pbkdf2 | undefined {
  const [, iterations = '', salt = '', hash = ''] = PBKDF2.exec(text) ?? [];
  return iterations === '' || Number(iterations) > MAX_ITERATIONS
    ? undefined
    : { iterations: Number(iterations), salt, hash };
}

/** The hashes that `parseImportedHash` accepts, for messages. */
export const IMPORTABLE_HASHES =
  `pbkdf2_sha256$… of at most ${MAX_ITERATIONS} iterations, and ` +
  `$argon2id$v=19$… of at most ${MAX_MEMORY_KIB} KiB and ${MAX_PASSES} passes`;

/** The stored form of a hash from another server; undefined if this server cannot verify it. */
export function parseImportedHash(text: string): string | undefined {
  const phc = text.replace(/^argon2\$/, '$'); // Django's prefix
  const [, memory, passes] = ARGON2ID.exec(phc) ?? [];
  if (memory !== undefined) return Number(memory) <= MAX_MEMORY_KIB && Number(passes) <= MAX_PASSES ? phc : undefined;
  return parsePbkdf2(text) === undefined ? undefined : text;
}
