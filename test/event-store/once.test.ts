import { expect } from 'chai';
import { createOnce } from '../../src/event-store/once.ts';

describe('What a request does once', () => {
  it('is done by the first call for a step, whose result every later one gets', () => {
    const once = createOnce();
    let runs = 0;
    const act = (): number => (runs += 1);
    expect([once(['a'], act), once(['a'], act), once(['a', 'b'], act), once(['a', 'b'], act)]).to.deep.equal([
      1, 1, 2, 2,
    ]);
  });

  it('is another step whenever any of its parts differs', () => {
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

  it('is done again when it failed before', async () => {
    const once = createOnce();
    expect(() => once(['a'], () => expect.fail('not yet'))).to.throw('not yet');
    expect(once(['a'], () => 'done')).to.equal('done');
    const failed = await once(['b'], async () => Promise.reject(new Error('not yet'))).catch((error: unknown) => error);
    expect(failed).to.be.an('error');
    expect(await once(['b'], async () => 'done')).to.equal('done');
  });

  it('is another request’s to do for itself', () => {
    const [one, other] = [createOnce(), createOnce()];
    expect([one(['a'], () => 1), other(['a'], () => 2)]).to.deep.equal([1, 2]);
  });
});
