import { pbkdf2, randomFillSync, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { parsePbkdf2, type Pbkdf2 } from './domain/password-hashes.ts';
import { createSlots, type SlotsLoad } from './slots.ts';

/** What time it is. Only `ports.ts` asks the system. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
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
  /** Whether `password` is the one behind the PHC string, or the PBKDF2 hash (`password-hashes.ts`); what is neither never matches. */
  verify(hash: string, password: string): Promise<boolean>;
  /** How busy it is; a quick one never is. */
  load?(): SlotsLoad;
}

export const systemClock: Clock = { now: () => Date.now() };

/** How time passes, to measure what takes how long: milliseconds from some moment on, with fractions, that never go back. */
export type Ticks = () => number;

export const systemTicks: Ticks = () => performance.now();

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
 * At most two at a time: argon2 shares LevelDB's thread pool, and a crowd of it would hold up every commit. And one processor is left
 * to everybody else: on a machine of two, two hashes beside the server doubled the 99th percentile of everybody's tokens.
 */
const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));

/** Some five seconds' worth: who comes later is told to try again, and a crowd of strangers costs no more memory. */
const HASHES_WAITING = 1_000;

/** Some fifteen seconds' worth, at the third of a second that Django's number of iterations takes: many may come on the first morning. */
const PBKDF2_WAITING = 50;

/**
 * argon2id off the event loop, queued one or two at a time, and PBKDF2 to verify what was brought here, in a queue of its own: it takes ten
 * times as long, and who sends wrong passwords must not hold up those who need none of it.
 */
export function argon2idHasher(): PasswordHasher {
  const slots = createSlots(HASHES_AT_ONCE, { mayWait: HASHES_WAITING });
  const forBrought = createSlots(1, { mayWait: PBKDF2_WAITING });
  return {
    hash: (password) => slots.run(() => argon2Hash(password, ARGON2ID)),
    async verify(hash, password) {
      const brought = parsePbkdf2(hash);
      return brought === undefined ? slots.run(async () => argon2Verify(hash, password).catch(() => false)) : forBrought.run(() => pbkdf2Verify(brought, password));
    },
    load() {
      const [ours, others] = [slots.load(), forBrought.load()];
      return { running: ours.running + others.running, waiting: ours.waiting + others.waiting };
    },
  };
}

const deriveKey = promisify(pbkdf2);

async function pbkdf2Verify({ salt, iterations, hash }: Pbkdf2, password: string): Promise<boolean> {
  const expected = Buffer.from(hash, 'base64');
  return timingSafeEqual(await deriveKey(password, salt, iterations, expected.length, 'sha256'), expected);
}
