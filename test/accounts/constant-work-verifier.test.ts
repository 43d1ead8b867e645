import { expect } from 'chai';
import fc from 'fast-check';
import { parsePbkdf2 } from '../../src/domain/password-hashes.ts';
import { createConstantWorkVerifier } from '../../src/accounts/constant-work-verifier.ts';
import { pbkdf2Of, quickHasher } from '../support/quick-hasher.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

/** The work of verifying `secret` against `hash` while the costliest imported hash has `most` iterations. */
async function workOf(
  hash: string | undefined,
  secret: string,
  most: number,
): Promise<{ readonly isRight: boolean; readonly argon2: number; readonly iterations: number }> {
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
  const verifier = createConstantWorkVerifier({ hasher, entropy: seededEntropy('even'), maxIterations: () => most });
  const isRight = await verifier.verify(hash, secret, hasher);
  return { isRight, ...work };
}

describe('verifying slowly hashed secrets', () => {
  it('takes the same work for every wrong secret, whichever account it was meant for', async () => {
    const kept = fc.oneof(
      fc.constant(''),
      fc.constant(undefined),
      fc.constant('$argon2id$quick$nobody'),
      fc.integer({ min: 1, max: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(kept, fc.integer({ min: 0, max: 30 }), fc.string(), async (hash, others, wrong) => {
        const most = typeof hash === 'number' ? Math.max(hash, others) : others;
        const text = typeof hash === 'number' ? pbkdf2Of('right, and no string that chance comes to', hash) : hash;
        expect(await workOf(text, wrong, most)).to.deep.equal({ isRight: false, argon2: 1, iterations: most });
      }),
      { numRuns: 200 },
    );
  });

  it('takes no PBKDF2 but its own for a right secret', async () => {
    expect(await workOf(await quickHasher.hash('right'), 'right', 30)).to.deep.equal({
      isRight: true,
      argon2: 1,
      iterations: 0,
    });
    expect(await workOf(pbkdf2Of('right', 7), 'right', 30)).to.deep.equal({ isRight: true, argon2: 1, iterations: 7 });
  });
});
