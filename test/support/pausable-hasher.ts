import { setImmediate as turn } from 'node:timers/promises';
import { parsePbkdf2 } from '../../src/domain/password-hashes.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';
import { quickHasher } from './quick-hasher.ts';

type Algorithm = 'argon2id' | 'pbkdf2';

/** A quick hasher that can pause hashes until the test releases them. */
export interface PausableHasher {
  readonly hasher: PasswordHasher;
  /** The passwords of all hashes that were paused, in the order in which they began. */
  readonly pausedPasswords: readonly string[];
  /** Pauses all following hashes of the algorithm, by default argon2id. */
  hold(algorithm?: Algorithm): void;
  /** Releases the oldest paused hash. */
  release(): void;
  /** Releases all paused hashes, and pauses no more. */
  releaseAll(): void;
}

export function pausableHasher(): PausableHasher {
  const pausedPasswords: string[] = [];
  const resumeCallbacks: (() => void)[] = [];
  let pausedAlgorithm: Algorithm | undefined;

  async function pass(algorithm: Algorithm, password: string): Promise<void> {
    if (algorithm !== pausedAlgorithm) return;
    pausedPasswords.push(password);
    await new Promise<void>((resolve) => resumeCallbacks.push(resolve));
  }

  return {
    pausedPasswords,
    hasher: {
      async hash(password) {
        await pass('argon2id', password);
        return quickHasher.hash(password);
      },
      async verify(hash, password) {
        await pass(parsePbkdf2(hash) === undefined ? 'argon2id' : 'pbkdf2', password);
        return quickHasher.verify(hash, password);
      },
    },
    hold: (algorithm = 'argon2id') => void (pausedAlgorithm = algorithm),
    release: () => resumeCallbacks.shift()?.(),
    releaseAll() {
      pausedAlgorithm = undefined;
      for (const resume of resumeCallbacks.splice(0)) resume();
    },
  };
}

/** Resolves when `isMet` returns true. It waits for work in this process, so it does not sleep. */
export async function waitUntil(isMet: () => boolean): Promise<void> {
  while (!isMet()) await turn();
}
