import { pbkdf2, randomFillSync, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { parsePbkdf2, type Pbkdf2 } from '../domain/password-hashes.ts';

/** Milliseconds since an arbitrary moment, with fractions. They never go back, so they measure durations. */
export type Ticks = () => number;

/** What time it is. Only `ports.ts` asks the system. */
export interface Clock {
  /** Milliseconds since the epoch. For instants that are kept or shown: the operator or NTP may set it at any time. */
  now(): number;
  /** For durations: setting the wall clock does not change them. */
  readonly ticks: Ticks;
}

/** Where randomness comes from. */
export interface Entropy {
  /** `length` bytes nobody can guess, for the caller alone. */
  bytes(length: number): Buffer;
}

/** Slow, salted hashing for secrets that people choose. */
export interface PasswordHasher {
  /** A PHC string. */
  hash(password: string): Promise<string>;
  /**
   * Whether `password` is the one behind the PHC string, or the PBKDF2 hash (`password-hashes.ts`); false for a hash
   * that is neither.
   */
  verify(hash: string, password: string): Promise<boolean>;
  /** How many argon2id hashes to compute at a time; 1 where it is left out. */
  readonly concurrency?: number;
}

export const systemClock: Clock = { now: () => Date.now(), ticks: () => performance.now() };

const POOL_BYTES = 4096;

/** The system's randomness, drawn 4 KiB at a time: 112 ns for 32 bytes where `randomBytes` takes 2,088. */
export function systemEntropy(): Entropy {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return {
    bytes(length) {
      if (length > POOL_BYTES) return randomFillSync(Buffer.alloc(length));
      if (used + length > POOL_BYTES) {
        randomFillSync(pool);
        used = 0;
      }
      const drawn = Buffer.allocUnsafe(length);
      pool.copy(drawn, 0, used, used + length);
      pool.fill(0, used, used + length); // what was handed out is not kept here as well
      used += length;
      return drawn;
    },
  };
}

/** OWASP's argon2id parameters: memory in KiB, passes, lanes. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * At most two at a time: argon2 shares LevelDB's thread pool, and more of it would hold up every commit. One processor
 * is left to everything else: on a machine of two, two hashes beside the server doubled the 99th percentile of tokens
 * (`npm run bench -- argon2`).
 */
const MAX_CONCURRENT_HASHES = Math.max(1, Math.min(2, availableParallelism() - 1));

/** argon2id, and PBKDF2 to verify imported hashes, off the event loop. Its caller limits how many run at once. */
export function argon2idHasher(): PasswordHasher {
  return {
    concurrency: MAX_CONCURRENT_HASHES,
    hash: (password) => argon2Hash(password, ARGON2ID),
    async verify(hash, password) {
      const imported = parsePbkdf2(hash);
      if (imported !== undefined) return pbkdf2Verify(imported, password);
      return argon2Verify(hash, password).catch(() => false);
    },
  };
}

const deriveKey = promisify(pbkdf2);

async function pbkdf2Verify({ salt, iterations, hash }: Pbkdf2, password: string): Promise<boolean> {
  const expected = Buffer.from(hash, 'base64');
  return timingSafeEqual(await deriveKey(password, salt, iterations, expected.length, 'sha256'), expected);
}
