import { expect } from 'chai';
import { createOnce } from '../../src/event-store/once.ts';

describe('A once-only effect within a request', () => {
  it('runs on the first call for a step, and later calls return the same result', () => {
    const once = createOnce();
    let runs = 0;
    const action = (): number => (runs += 1);
    expect([
      once(['a'], action),
      once(['a'], action),
      once(['a', 'b'], action),
      once(['a', 'b'], action),
    ]).to.deep.equal([1, 1, 2, 2]);
  });

  it('runs separately for steps that differ in any part', () => {
    const once = createOnce();
    const steps = [
      ['a', 'b', 'c'],
      ['a', 'bc'],
      ['ab', 'c'],
      ['a,b', 'c'],
      ['a","b', 'c'],
      ['a', '', 'b', 'c'],
    ];
    expect(steps.map((step, index) => once(step, () => index))).to.deep.equal(steps.map((_step, index) => index));
  });

  it('runs again after a failure', async () => {
    const once = createOnce();
    expect(() => once(['a'], () => expect.fail('not yet'))).to.throw('not yet');
    expect(once(['a'], () => 'done')).to.equal('done');
    const failure = await once(['b'], async () => Promise.reject(new Error('not yet'))).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.an('error');
    expect(await once(['b'], async () => 'done')).to.equal('done');
  });

  it('is independent of other requests', () => {
    const [first, second] = [createOnce(), createOnce()];
    expect([first(['a'], () => 1), second(['a'], () => 2)]).to.deep.equal([1, 2]);
  });
});
