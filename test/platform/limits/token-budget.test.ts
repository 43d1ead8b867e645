import { expect } from 'chai';
import { createTokenBudget, type TokenBudget } from '../../../src/platform/limits/token-budget.ts';

const ONE_EVENT = { events: ['an event'] };
const NO_EVENTS = { events: [] as string[] };

describe('the token budget', () => {
  let now: number;
  let budget: TokenBudget;

  beforeEach(() => {
    now = 0;
    const createError = (endsAt: number): Error => new Error(`used up until ${endsAt}`);
    budget = createTokenBudget(
      { max: 2, windowSeconds: 60 },
      () => now,
      createError,
      () => {},
    );
  });

  const spend = async (outcome = ONE_EVENT): Promise<unknown> => budget.spend('client', async () => outcome);

  it('prevents calls for a client that has used it up', async () => {
    await spend();
    await spend();
    let isCalled = false;
    const refusal = budget.spend('client', async () => {
      isCalled = true;
      return ONE_EVENT;
    });
    expect(await errorMessage(refusal)).to.equal('used up until 60000');
    expect(isCalled).to.equal(false);
  });

  it('admits no more concurrent calls than successive calls', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, async () => spend()));
    expect(outcomes.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
  });

  it('is not charged for calls that recorded no event or failed', async () => {
    for (let times = 0; times < 5; times += 1) {
      await spend(NO_EVENTS);
      expect(await errorMessage(budget.spend('client', async () => Promise.reject(new Error('refused'))))).to.equal(
        'refused',
      );
    }
    await spend();
    await spend();
  });

  it('is refunded only within the window in which it was charged', async () => {
    let finish = (_outcome: { events: readonly unknown[] }): void => undefined;
    const slowCall = budget.spend(
      'client',
      async () =>
        new Promise<{ events: readonly unknown[] }>((resolve) => {
          finish = resolve;
        }),
    );
    now = 60_000;
    await spend();
    await spend();
    finish(NO_EVENTS);
    await slowCall;
    expect(await errorMessage(spend())).to.equal('used up until 120000');
  });
});

async function errorMessage(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error as Error).message,
  );
}
