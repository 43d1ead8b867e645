import { setImmediate as turn } from 'node:timers/promises';
import { parsePbkdf2 } from '../../src/domain/password-hashes.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';
import { quickHasher } from './quick-hasher.ts';

type Algorithm = 'argon2id' | 'pbkdf2';

/** A quick hasher that can hold hashes until the test releases them. */
export interface HeldHasher {
  readonly hasher: PasswordHasher;
  /** The passwords of the held hashes, in the order in which they began. */
  readonly heldPasswords: readonly string[];
  hold(algorithm?: Algorithm): void;
  /** Releases the oldest held hash. */
  release(): void;
  /** Releases all, including those that begin later. */
  releaseAll(): void;
}

export function heldHasher(): HeldHasher {
  const heldPasswords: string[] = [];
  const held: (() => void)[] = [];
  let heldAlgorithm: Algorithm | undefined;

  async function pass(algorithm: Algorithm, password: string): Promise<void> {
    if (algorithm !== heldAlgorithm) return;
    heldPasswords.push(password);
    await new Promise<void>((resolve) => held.push(resolve));
  }

  return {
    heldPasswords,
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
    hold: (algorithm = 'argon2id') => void (heldAlgorithm = algorithm),
    release: () => held.shift()?.(),
    releaseAll() {
      heldAlgorithm = undefined;
      for (const resume of held.splice(0)) resume();
    },
  };
}

/** Resolves when `isMet` returns true. It waits for work of this process, so it need not sleep. */
export async function waitUntil(isMet: () => boolean): Promise<void> {
  while (!isMet()) await turn();
}
