import { expect } from 'chai';
import * as fc from 'fast-check';
import { createSecretKey } from 'node:crypto';
import { createOnce } from '../../../src/event-store/once.ts';
import { CAPACITY } from '../../../src/platform/limits/counters.ts';
import { createRateLimits, type RateLimits } from '../../../src/platform/limits/rate-limits.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';
import { memoryBus, type MemoryBus } from '../../support/memory-broadcast.ts';
import { SMALL_LIMITS } from '../../support/small-limits.ts';
import { repetitions } from '../../support/repetitions.ts';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const ONE_TOKEN = { events: ['a token'] };
const RETRY_AFTER_SECONDS = 900;

describe('the rate limits of nodes that share a log', () => {
  let clock: ManualClock;
  let bus: MemoryBus;
  let a: RateLimits;
  let b: RateLimits;

  function createNode(ticks = clock.ticks, limits = SMALL_LIMITS): RateLimits {
    return createRateLimits({ limits, ticks, key: KEY, broadcast: bus.node() });
  }

  beforeEach(() => {
    clock = manualClock();
    bus = memoryBus();
    [a, b] = [createNode(), createNode()];
  });

  it('include the counts that other nodes have reported', () => {
    spend(a);
    bus.deliver();
    spend(b);
    expect(() => spend(b)).to.throw('sign-up-by-address limit is exhausted');
    bus.deliver();
    expect(() => spend(a)).to.throw('sign-up-by-address limit is exhausted');
  });

  it('admit the same requests as one process, if every message is delivered before the next request', () => {
    const step = fc.record({
      node: fc.nat({ max: 2 }),
      key: fc.constantFrom('ada', 'eve'),
      seconds: fc.constantFrom(0, 0, 1, 1_000, 4_000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        [clock, bus] = [manualClock(), memoryBus()];
        const singleProcess = createRateLimits({
          limits: SMALL_LIMITS,
          ticks: clock.ticks,
          key: KEY,
          broadcast: undefined,
        });
        const nodes = [createNode(), createNode(), createNode()];
        for (const { node: index, key, seconds } of steps) {
          clock.advance(seconds);
          expect(admits(nodes[index], key)).to.equal(admits(singleProcess, key));
          bus.deliver();
        }
      }),
      { numRuns: repetitions(100) },
    );
  });

  it('admit at most their maximum on each node while no messages arrive', () => {
    const admittedAttempts = [a, b].flatMap((limits) => [1, 2, 3, 4].filter(() => admits(limits, 'ada')));
    expect(admittedAttempts).to.have.length(2 * SMALL_LIMITS['sign-up-by-address'].max);
    bus.lose();
    clock.advance(SMALL_LIMITS['sign-up-by-address'].windowSeconds);
    expect(admits(a, 'ada')).to.equal(true);
  });

  it('end their windows together, even if the clocks of the nodes differ', () => {
    const laterNode = createNode(() => clock.ticks() + 12_345_678.9);
    const { max, windowSeconds } = SMALL_LIMITS['sign-up-by-address'];
    for (let times = 0; times < max; times += 1) spend(a);
    clock.advance(1);
    bus.deliver();
    expect(() => spend(laterNode))
      .to.throw()
      .with.property('retryAfterSeconds', windowSeconds - 1);
    clock.advance(windowSeconds - 1);
    expect([admits(a, 'ada'), admits(laterNode, 'ada')]).to.deep.equal([true, true]);
  });

  it('count wrong passwords on all nodes, and share known sources of successful logins', () => {
    const { max } = SMALL_LIMITS['password-by-account'];
    a.passwords.attempt({ subject: 'ada', source: 'home' }).succeed();
    for (let times = 0; times < max; times += 1) fail(a, { subject: 'ada', source: `place ${times}` });
    bus.deliver();
    expect(() => b.passwords.attempt({ subject: 'ada', source: 'elsewhere' })).to.throw('password-by-account');
    expect(() => b.passwords.attempt({ subject: 'ada', source: 'home' })).not.to.throw();
    expect(() => b.passwords.attempt({ subject: 'eve', source: 'elsewhere' })).not.to.throw();
    clock.advance(RETRY_AFTER_SECONDS);
    expect(() => b.passwords.attempt({ subject: 'ada', source: 'elsewhere' })).not.to.throw();
  });

  it('count the tokens of all nodes in windows that end together', async () => {
    const { max, windowSeconds } = SMALL_LIMITS['tokens-by-client'];
    for (let times = 0; times < max - 1; times += 1) await a.tokens.spend('client', async () => ONE_TOKEN);
    await a.tokens.spend('client', async () => ({ events: [] }));
    clock.advance(1);
    bus.deliver();
    await b.tokens.spend('client', async () => ONE_TOKEN);
    const refusal = await b.tokens.spend('client', async () => ONE_TOKEN).catch((error: unknown) => error);
    expect(refusal).to.have.property('retryAfterSeconds', windowSeconds - 1);
    clock.advance(windowSeconds - 1);
    await b.tokens.spend('client', async () => ONE_TOKEN);
  });

  it('keep the highest counts during a flood of keys from another node', function () {
    this.timeout(300_000);
    const { max } = SMALL_LIMITS['password-by-address'];
    for (let times = 0; times < max; times += 1) fail(b, { subject: `user ${times}`, source: 'attacker' });
    for (let index = 0; index < CAPACITY; index += 1) fail(a, { subject: 'ada', source: `flood ${index}` }, false);
    bus.deliver();
    expect(() => b.passwords.attempt({ subject: 'another', source: 'attacker' })).to.throw('password-by-address');
  });

  it('do not send keys in plain text, and ignore malformed messages', () => {
    spend(a, '2001:db8::/64');
    bus.deliver();
    expect(bus.published).to.have.length(1);
    expect(bus.published.join()).not.to.include('2001');
    const stranger = bus.node();
    const malformedPayloads = [
      '',
      '{}',
      '[1]',
      '[["sign-up-by-address !",1,1]]',
      '[["sign-up-by-address a",-1,1]]',
      '[["x a",1,1]]',
    ];
    for (const payload of malformedPayloads) stranger.publish('counts', payload);
    stranger.publish('counts', '[["sign-up-by-address a",1,null],["sign-up-by-address a"],["constructor a",1,1]]');
    bus.deliver();
    spend(b, 'another');
  });
});

function spend(limits: RateLimits | undefined, key = 'ada'): void {
  if (limits === undefined) expect.fail();
  limits.spend('sign-up-by-address', key, createOnce());
}

function admits(limits: RateLimits | undefined, key: string): boolean {
  try {
    spend(limits, key);
    return true;
  } catch {
    return false;
  }
}

function fail(limits: RateLimits, guess: { subject: string; source: string }, isAdmitted = true): void {
  try {
    const attempt = limits.passwords.attempt(guess);
    attempt.begin();
    attempt.fail();
  } catch (error) {
    if (isAdmitted) throw error;
  }
}
