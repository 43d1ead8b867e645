/** PBKDF2 with HMAC-SHA-256 as Django writes it: `pbkdf2_sha256$ITERATIONS$SALT$BASE64`. */
export interface Pbkdf2 {
  readonly iterations: number;
  /** The characters themselves are the salt, in UTF-8. */
  readonly salt: string;
  /** 32 bytes in base64. */
  readonly hash: string;
}

/** Whoever sends a wrong password makes the server count as far: some seconds' worth, and eight times Django's own number. */
const MAX_ITERATIONS = 10_000_000;
/** Of argon2id, in KiB: two and a half times Django's own. */
const MAX_MEMORY_KIB = 262_144;
const MAX_PASSES = 10;

const PBKDF2 = /^pbkdf2_sha256\$([1-9]\d{0,7})\$([^$\s]{1,128})\$([A-Za-z0-9+/]{43}=)$/;
const ARGON2ID =
  /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(?:\d|1[0-6])\$[A-Za-z0-9+/]{11,128}\$[A-Za-z0-9+/]{22,128}$/;

/** What `hash` says; undefined where it is no PBKDF2 hash that this server would compute. */
export function parsePbkdf2(text: string): Pbkdf2 | undefined {
  const [, iterations = '', salt = '', hash = ''] = PBKDF2.exec(text) ?? [];
  return iterations === '' || Number(iterations) > MAX_ITERATIONS
    ? undefined
    : { iterations: Number(iterations), salt, hash };
}

/** What `broughtHash` takes, for people. */
export const IMPORTABLE_HASHES = `pbkdf2_sha256$… of at most ${MAX_ITERATIONS} iterations, and $argon2id$v=19$… of at most ${MAX_MEMORY_KIB} KiB and ${MAX_PASSES} passes`;

/** A hash from another server in the form that it is kept in here; undefined where it is none that this server verifies. */
export function parseImportedHash(text: string): string | undefined {
  const phc = text.replace(/^argon2\$/, '$'); // Django's name for what follows
  const [, memory, passes] = ARGON2ID.exec(phc) ?? [];
  if (memory !== undefined) return Number(memory) <= MAX_MEMORY_KIB && Number(passes) <= MAX_PASSES ? phc : undefined;
  return parsePbkdf2(text) === undefined ? undefined : text;
}
