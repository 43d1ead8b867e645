import { expect } from 'chai';
import { createOnce } from '../../src/event-store/once.ts';

describe('An effect that a request runs once', () => {
  it('runs on the first call for a step, and later calls return its result', () => {
    const once = createOnce();
    let runs = 0;
    const act = (): number => (runs += 1);
    expect([once(['a'], act), once(['a'], act), once(['a', 'b'], act), once(['a', 'b'], act)]).to.deep.equal([
      1, 1, 2, 2,
    ]);
  });

  it('belongs to a different step if any part of the step differs', () => {
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

  it('runs again if it failed before', async () => {
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
    const [one, other] = [createOnce(), createOnce()];
    expect([one(['a'], () => 1), other(['a'], () => 2)]).to.deep.equal([1, 2]);
  });
});
