import { setImmediate as turn } from 'node:timers/promises';
import { parsePbkdf2 } from '../../src/domain/password-hashes.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';
import { quickHasher } from './quick-hasher.ts';

type Algorithm = 'argon2id' | 'pbkdf2';

/** A quick hasher that can hold hashes: then each of them continues only when the test says so. */
export interface HeldHasher {
  readonly hasher: PasswordHasher;
  /** The passwords of the held hashes, in the order in which they began. */
  readonly began: readonly string[];
  hold(algorithm?: Algorithm): void;
  /** Releases the oldest held hash. */
  release(): void;
  /** Releases all, including those that begin later. */
  releaseAll(): void;
}

export function heldHasher(): HeldHasher {
  const began: string[] = [];
  const held: (() => void)[] = [];
  let holding: Algorithm | undefined;

  async function pass(algorithm: Algorithm, password: string): Promise<void> {
    if (algorithm !== holding) return;
    began.push(password);
    await new Promise<void>((resolve) => held.push(resolve));
  }

  return {
    began,
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
    hold: (algorithm = 'argon2id') => void (holding = algorithm),
    release: () => held.shift()?.(),
    releaseAll() {
      holding = undefined;
      for (const goOn of held.splice(0)) goOn();
    },
  };
}

/** Resolves when `isSo`. It waits for work of this process, so it need not sleep. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}
