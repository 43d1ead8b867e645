import { parsePbkdf2 } from '../../domain/password-hashes.ts';
import type { PasswordHasher, Ticks } from '../ports.ts';
import type { HashCaller } from './hash-caller.ts';
import { createHashQueue, MAX_WAIT_MS, type HashQueueLoad } from './hash-queue.ts';

/** Slow hashes, of passwords and of secrets that people chose, in fair turns. */
export interface PasswordHashing {
  /**
   * A hasher for one request of `caller`. Its hashes wait for `LONGEST_WAIT_MS` at most, all together and beginning
   * now; a hash that cannot begin by then rejects with `HashingOverloaded`.
   * @param onTurn runs each time that a hash is about to begin; what it throws refuses the hash
   */
  hasherFor(caller: HashCaller, onTurn?: () => void): PasswordHasher;
  /** How many hashes are being computed, and how many wait for their turn. */
  load(): Readonly<Record<'running' | 'waiting', number>>;
  queues(): Readonly<Record<'argon2id' | 'pbkdf2', HashQueueLoad>>;
}

/** A guess at how long each takes, until some were measured: OWASP's argon2id, and as many iterations as Django has. */
const EXPECTED_MS = { argon2id: 30, pbkdf2: 300 } as const;

/**
 * Each algorithm has a queue of its own. PBKDF2 takes ten times as long and is computed for every wrong password while
 * any account has such a hash. That must not hold up right passwords, which need none of it.
 */
export function createPasswordHashing(hasher: PasswordHasher, ticks: Ticks): PasswordHashing {
  const argon2id = createHashQueue({ ticks, atOnce: hasher.concurrency ?? 1, expectedMs: EXPECTED_MS.argon2id });
  const pbkdf2 = createHashQueue({ ticks, atOnce: 1, expectedMs: EXPECTED_MS.pbkdf2 });

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
