import { expect } from 'chai';
import { findViolations, type Attempt } from '../support/login-drill.ts';

const FLOOD = 1_000;

describe("the login drill's check", () => {
  function createAttempt(changes: Partial<Attempt> = {}): Attempt {
    return { milliseconds: 40, hashesAhead: 2, statuses: [302], ...changes };
  }
  function passes(isPrompt: boolean, ...attempts: readonly Attempt[]): boolean {
    return findViolations({ flood: 'a flood', caller: 'a caller', isPrompt, attempts }, FLOOD).length === 0;
  }
  const repeat = (count: number, sample: Attempt): readonly Attempt[] => Array.from({ length: count }, () => sample);

  it('fails if a caller with priority is refused or waits for more than a quarter of the flood', () => {
    expect(passes(true, createAttempt(), createAttempt({ hashesAhead: FLOOD / 4 }))).to.equal(true);
    expect(passes(true, createAttempt(), createAttempt({ hashesAhead: FLOOD / 4 + 1 }))).to.equal(false);
    expect(passes(true, createAttempt(), createAttempt({ statuses: [503, 302] }))).to.equal(false);
  });

  it('tolerates one refused login in a hundred', () => {
    const refusedAttempt = createAttempt({ statuses: [503, 302] });
    expect(passes(true, ...repeat(99, createAttempt()), refusedAttempt)).to.equal(true);
    expect(passes(true, ...repeat(98, createAttempt()), refusedAttempt, refusedAttempt)).to.equal(false);
    expect(passes(true, ...repeat(98, createAttempt()), refusedAttempt), 'one in ninety-nine').to.equal(false);
  });

  it('allows other callers to wait or be refused, but neither for long nor repeatedly', () => {
    const slowAttempt = createAttempt({ milliseconds: 14_000, hashesAhead: FLOOD });
    expect(passes(false, slowAttempt, createAttempt({ statuses: [503, 302] }))).to.equal(true);
    expect(passes(false, createAttempt({ milliseconds: 21_000 }))).to.equal(false);
    expect(passes(false, createAttempt({ statuses: [503, 503, 503, 503] }))).to.equal(false);
    expect(
      passes(false, createAttempt({ statuses: [503, 302] }), createAttempt({ statuses: [503, 503, 302] })),
    ).to.equal(true);
    expect(passes(false, createAttempt({ statuses: [503, 503, 302] }))).to.equal(false);
  });
});
