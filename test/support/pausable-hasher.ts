import { setImmediate as turn } from 'node:timers/promises';
import { parsePbkdf2 } from '../../src/domain/password-hashes.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';
import { quickHasher } from './quick-hasher.ts';

type Algorithm = 'argon2id' | 'pbkdf2';

/** A fast password hasher that can pause until the test releases it. */
export interface PausableHasher {
  readonly hasher: PasswordHasher;
  /** The passwords of all hashes that have been paused, in the order they started. */
  readonly pausedPasswords: readonly string[];
  /** Pauses all later hashes with the algorithm, argon2id by default. */
  hold(algorithm?: Algorithm): void;
  /** Releases the oldest paused hash. */
  release(): void;
  /** Releases all paused hashes and stops pausing. */
  releaseAll(): void;
}

export function pausableHasher(): PausableHasher {
  const pausedPasswords: string[] = [];
  const resumeCallbacks: (() => void)[] = [];
  let pausedAlgorithm: Algorithm | undefined;

  async function pauseIfHeld(algorithm: Algorithm, password: string): Promise<void> {
    if (algorithm !== pausedAlgorithm) return;
    pausedPasswords.push(password);
    await new Promise<void>((resolve) => resumeCallbacks.push(resolve));
  }

  return {
    pausedPasswords,
    hasher: {
      async hash(password) {
        await pauseIfHeld('argon2id', password);
        return quickHasher.hash(password);
      },
      async verify(hash, password) {
        await pauseIfHeld(parsePbkdf2(hash) === undefined ? 'argon2id' : 'pbkdf2', password);
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

/** Resolves when `isMet` returns true. Only yields to the event loop, because it waits for work in this process. */
export async function waitUntil(isMet: () => boolean): Promise<void> {
  while (!isMet()) await turn();
}
