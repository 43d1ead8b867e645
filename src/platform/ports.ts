import { pbkdf2, randomFillSync, timingSafeEqual } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { parsePbkdf2, type Pbkdf2 } from '../domain/password-hashes.ts';

/** A monotonic clock: milliseconds since an arbitrary time, with fractions. */
export type Ticks = () => number;

/** The source of time. Only `ports.ts` reads the system clock. */
export interface Clock {
  /**
   * Milliseconds since the epoch, for times that are stored or shown. The operator or NTP can change this clock at
   * any time.
   */
  now(): number;
  /** For durations, which must not depend on the wall clock. */
  readonly ticks: Ticks;
}

/** Calls `onExpired` after `milliseconds`, unless the returned function is called first. */
export type StartTimer = (milliseconds: number, onExpired: () => void) => () => void;

/** The source of randomness. */
export interface Entropy {
  /** Returns `length` unpredictable bytes, in a buffer that the caller may modify. */
  bytes(length: number): Buffer;
}

/** Slow, salted hashing for user-chosen secrets. */
export interface PasswordHasher {
  /** Resolves with a PHC string. */
  hash(password: string): Promise<string>;
  /**
   * Resolves with true if `password` matches `hash`, a PHC string or a PBKDF2 hash (`password-hashes.ts`). Other hashes
   * never match.
   */
  verify(hash: string, password: string): Promise<boolean>;
  /** The maximum number of concurrent argon2id hashes; 1 by default. */
  readonly concurrency?: number;
}

export const systemClock: Clock = { now: () => Date.now(), ticks: () => performance.now() };

/** A timer that does not keep the process running. */
export const systemTimer: StartTimer = (milliseconds, onExpired) => {
  const timeout = setTimeout(onExpired, milliseconds).unref();
  return () => clearTimeout(timeout);
};

const POOL_BYTES = 4096;

/**
 * Reads the system's randomness 4 KiB at a time, which is several times faster than `randomBytes` (`npm run bench --
 * micro`).
 */
export function systemEntropy(): Entropy {
  const pool = Buffer.alloc(POOL_BYTES);
  let offset = POOL_BYTES;
  return {
    bytes(length) {
      if (length > POOL_BYTES) return randomFillSync(Buffer.alloc(length));
      if (offset + length > POOL_BYTES) {
        randomFillSync(pool);
        offset = 0;
      }
      const result = Buffer.allocUnsafe(length);
      pool.copy(result, 0, offset, offset + length);
      pool.fill(0, offset, offset + length); // keeps no copy of secrets
      offset += length;
      return result;
    },
  };
}

/** OWASP's argon2id parameters: memory in KiB, passes, lanes. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * At most two at a time: argon2 shares the thread pool with LevelDB, and more hashes would delay every commit. One
 * processor stays free for other work: on a machine with two processors, two concurrent hashes doubled the 99th
 * percentile of the latency of token requests (`npm run bench -- argon2`).
 */
const MAX_CONCURRENT_HASHES = Math.max(1, Math.min(2, availableParallelism() - 1));

/**
 * Hashes with argon2id, and verifies imported PBKDF2 hashes, in the thread pool. Callers must limit the number of
 * concurrent hashes.
 */
export function argon2idHasher(): PasswordHasher {
  return {
    concurrency: MAX_CONCURRENT_HASHES,
    hash: (password) => argon2Hash(password, ARGON2ID),
    async verify(hash, password) {
      const importedHash = parsePbkdf2(hash);
      if (importedHash !== undefined) return pbkdf2Verify(importedHash, password);
      return argon2Verify(hash, password).catch(() => false);
    },
  };
}

const deriveKey = promisify(pbkdf2);

async function pbkdf2Verify({ salt, iterations, hash }: Pbkdf2, password: string): Promise<boolean> {
  const expected = Buffer.from(hash, 'base64');
  return timingSafeEqual(await deriveKey(password, salt, iterations, expected.length, 'sha256'), expected);
}

/** Returns the host name and the id of this process, for operators. */
export function thisProcess(): { readonly host: string; readonly processId: number } {
  return { host: hostname(), processId: process.pid };
}
