import { expect } from 'chai';
import { violations, type Attempt } from '../support/login-drill.ts';

const FLOOD = 1_000;

describe("the login drill's check", () => {
  function attempt(changes: Partial<Attempt> = {}): Attempt {
    return { milliseconds: 40, hashesAhead: 2, statuses: [302], ...changes };
  }
  function passes(isPrompt: boolean, ...attempts: readonly Attempt[]): boolean {
    return violations({ flood: 'a flood', caller: 'a caller', isPrompt, attempts }, FLOOD).length === 0;
  }
  const repeat = (count: number, sample: Attempt): readonly Attempt[] => Array.from({ length: count }, () => sample);

  it('fails if a caller with priority is refused or waits for more than a quarter of the flood', () => {
    expect(passes(true, attempt(), attempt({ hashesAhead: FLOOD / 4 }))).to.equal(true);
    expect(passes(true, attempt(), attempt({ hashesAhead: FLOOD / 4 + 1 }))).to.equal(false);
    expect(passes(true, attempt(), attempt({ statuses: [503, 302] }))).to.equal(false);
  });

  it('tolerates one bad login in a hundred', () => {
    const refusedAttempt = attempt({ statuses: [503, 302] });
    expect(passes(true, ...repeat(99, attempt()), refusedAttempt)).to.equal(true);
    expect(passes(true, ...repeat(98, attempt()), refusedAttempt, refusedAttempt)).to.equal(false);
    expect(passes(true, ...repeat(98, attempt()), refusedAttempt), 'one in ninety-nine').to.equal(false);
  });

  it('allows other callers to wait or be refused, but neither for long nor repeatedly', () => {
    const slowAttempt = attempt({ milliseconds: 14_000, hashesAhead: FLOOD });
    expect(passes(false, slowAttempt, attempt({ statuses: [503, 302] }))).to.equal(true);
    expect(passes(false, attempt({ milliseconds: 21_000 }))).to.equal(false);
    expect(passes(false, attempt({ statuses: [503, 503, 503, 503] }))).to.equal(false);
    expect(passes(false, attempt({ statuses: [503, 302] }), attempt({ statuses: [503, 503, 302] }))).to.equal(true);
    expect(passes(false, attempt({ statuses: [503, 503, 302] }))).to.equal(false);
  });
});
