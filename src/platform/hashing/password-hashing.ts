import { parsePbkdf2 } from '../../domain/password-hashes.ts';
import type { PasswordHasher, Ticks } from '../ports.ts';
import type { HashCaller } from './hash-caller.ts';
import { createHashQueue, MAX_WAIT_MS, type HashQueueLoad } from './hash-queue.ts';

/** Schedules slow hashes of passwords and other user-chosen secrets fairly. */
export interface PasswordHashing {
  /**
   * Returns a hasher for one request from `caller`. A hash that cannot begin within `MAX_WAIT_MS` from now fails with
   * `HashingOverloadedError`.
   * @param onTurn runs right before each hash begins; if it throws, the hash fails with that error
   */
  hasherFor(caller: HashCaller, onTurn?: () => void): PasswordHasher;
  /** Returns the number of hashes that are being computed, and the number that are waiting. */
  load(): Readonly<Record<'running' | 'waiting', number>>;
  queues(): Readonly<Record<'argon2id' | 'pbkdf2', HashQueueLoad>>;
}

/** Used until durations are measured: estimates for OWASP's argon2id parameters and Django's PBKDF2 iteration count. */
const EXPECTED_MS = { argon2id: 30, pbkdf2: 300 } as const;

/**
 * Creates a scheduler with a queue for each algorithm. PBKDF2 takes ten times as long as argon2id, and is computed for
 * every wrong password while any account has a PBKDF2 hash. In its own queue, it does not delay correct passwords, most
 * of which do not need PBKDF2.
 */
export function createPasswordHashing(hasher: PasswordHasher, ticks: Ticks): PasswordHashing {
  const argon2id = createHashQueue({ ticks, concurrency: hasher.concurrency ?? 1, expectedMs: EXPECTED_MS.argon2id });
  const pbkdf2 = createHashQueue({ ticks, concurrency: 1, expectedMs: EXPECTED_MS.pbkdf2 });

  return {
    hasherFor(caller, onTurn = () => {}) {
      const job = { caller, deadline: ticks() + MAX_WAIT_MS, onTurn };
      return {
        hash: (password) => argon2id.run({ ...job, compute: () => hasher.hash(password) }),
        verify(hash, password) {
          const queue = parsePbkdf2(hash) === undefined ? argon2id : pbkdf2;
          return queue.run({ ...job, compute: () => hasher.verify(hash, password) });
        },
      };
    },

    load() {
      const loads = [argon2id.load(), pbkdf2.load()];
      return {
        running: sum(loads.map(({ running }) => running)),
        waiting: sum(loads.flatMap(({ waiting }) => Object.values(waiting))),
      };
    },

    queues: () => ({ argon2id: argon2id.load(), pbkdf2: pbkdf2.load() }),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
