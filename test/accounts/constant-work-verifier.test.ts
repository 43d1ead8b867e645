import { expect } from 'chai';
import fc from 'fast-check';
import { parsePbkdf2 } from '../../src/domain/password-hashes.ts';
import { createConstantWorkVerifier } from '../../src/accounts/constant-work-verifier.ts';
import { pbkdf2Of, quickHasher } from '../support/quick-hasher.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

/**
 * Measures the work of verifying `secret` against `hash` when the costliest imported hash has `maxIterations`
 * iterations.
 */
async function measureWork(
  hash: string | undefined,
  secret: string,
  maxIterations: number,
): Promise<{ readonly isCorrect: boolean; readonly argon2: number; readonly iterations: number }> {
  const work = { argon2: 0, iterations: 0 };
  const hasher = {
    hash: quickHasher.hash,
    async verify(text: string, password: string) {
      const pbkdf2 = parsePbkdf2(text);
      if (pbkdf2 === undefined) work.argon2 += 1;
      else work.iterations += pbkdf2.iterations;
      return quickHasher.verify(text, password);
    },
  };
  const verifier = createConstantWorkVerifier({
    hasher,
    entropy: seededEntropy('even'),
    maxIterations: () => maxIterations,
  });
  const isCorrect = await verifier.verify(hash, secret, hasher);
  return { isCorrect, ...work };
}

describe('verifying slowly hashed secrets', () => {
  it('costs the same for every wrong secret, regardless of the account', async () => {
    const storedHash = fc.oneof(
      fc.constant(''),
      fc.constant(undefined),
      fc.constant('$argon2id$quick$nobody'),
      fc.integer({ min: 1, max: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(
        storedHash,
        fc.integer({ min: 0, max: 30 }),
        fc.string(),
        async (hash, otherMaximum, wrongSecret) => {
          const maxIterations = typeof hash === 'number' ? Math.max(hash, otherMaximum) : otherMaximum;
          const fullHash =
            typeof hash === 'number' ? pbkdf2Of('the right secret, which is never generated', hash) : hash;
          expect(await measureWork(fullHash, wrongSecret, maxIterations)).to.deep.equal({
            isCorrect: false,
            argon2: 1,
            iterations: maxIterations,
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('runs PBKDF2 for a correct secret only if its hash is a PBKDF2 hash', async () => {
    expect(await measureWork(await quickHasher.hash('right'), 'right', 30)).to.deep.equal({
      isCorrect: true,
      argon2: 1,
      iterations: 0,
    });
    expect(await measureWork(pbkdf2Of('right', 7), 'right', 30)).to.deep.equal({
      isCorrect: true,
      argon2: 1,
      iterations: 7,
    });
  });
});
