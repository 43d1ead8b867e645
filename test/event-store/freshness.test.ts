import { expect } from 'chai';
import { START } from '../../src/event-store/event-log.ts';
import { createFreshness } from '../../src/event-store/freshness.ts';
import { LogUnreachable } from '../../src/event-store/log-unreachable.ts';
import { manualClock } from '../support/manual-clock.ts';

/** A shared log whose catch-ups and currency are controlled by the test. */
function createFixture() {
  const clock = manualClock();
  const state = { lastCurrentAt: 0, catchUps: 0, isReachable: true, laterEvent: undefined as string | undefined };
  const notices: string[] = [];
  const freshness = createFreshness({
    shared: {
      async catchUp() {
        state.catchUps += 1;
        if (!state.isReachable) throw new LogUnreachable('no answer');
      },
      lastCurrentAt: () => state.lastCurrentAt,
      clockOffset: () => 0,
      counts: () => ({ reconnects: 0, unknownOutcomes: 0, missingEvents: 0 }),
      isAppliedByAll: async () => true,
    },
    position: () => START,
    ticks: clock.ticks,
    maxStalenessSeconds: 5,
    laterEvent: () => state.laterEvent,
    notice: (line) => notices.push(line),
  });
  return { clock, state, notices, freshness };
}

const catchError = (action: () => void): unknown => {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('the freshness of a node', () => {
  it('lasts for the configured time after its last contact with the log', () => {
    const { clock, state, freshness } = createFixture();
    clock.advance(5);
    expect(catchError(freshness.assertCurrent)).to.equal(undefined);
    clock.advance(0.001);
    expect(catchError(freshness.assertCurrent)).to.be.instanceOf(LogUnreachable);
    expect(freshness.problem()).to.equal('this node has had no contact with the event log for 5 seconds');
    expect(freshness.secondsOutOfTouch()).to.equal(5);
    state.lastCurrentAt = clock.ticks();
    expect(freshness.secondsOutOfTouch()).to.equal(undefined);
    expect(freshness.problem()).to.equal(undefined);
  });

  it('is reported once when it ends, and once when it is restored', () => {
    const { clock, state, notices, freshness } = createFixture();
    clock.advance(6);
    for (let call = 0; call < 3; call += 1) freshness.problem();
    expect(notices).to.deep.equal([
      'this node has had no contact with the event log for 6 seconds; it responds with 503',
    ]);
    state.lastCurrentAt = clock.ticks();
    for (let call = 0; call < 3; call += 1) freshness.problem();
    expect(notices.slice(1)).to.deep.equal(['this node has caught up and responds again']);
  });

  it('ends at an event written by a later release, even if the node is current', async () => {
    const { state, freshness } = createFixture();
    state.laterEvent = 'an event is unknown';
    expect(freshness.problem()).to.equal('an event is unknown');
    const error = await freshness.catchUp().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(LogUnreachable).and.to.have.property('message', 'an event is unknown');
  });

  it('includes counts of catch-ups by result', async () => {
    const { state, freshness } = createFixture();
    await freshness.catchUp();
    state.isReachable = false;
    expect(await freshness.catchUp().catch((thrown: unknown) => thrown)).to.be.instanceOf(LogUnreachable);
    expect(freshness.catchUps()).to.deep.equal({ reached: 1, failed: 1 });
  });
});

describe('a throttled catch-up', () => {
  it('is shared by all callers waiting for it', async () => {
    const { state, freshness } = createFixture();
    await Promise.all(Array.from({ length: 100 }, () => freshness.catchUpThrottled()));
    expect(state.catchUps).to.equal(1);
  });

  it('begins after its request, and does not share a running catch-up', async () => {
    const { clock, state, freshness } = createFixture();
    const first = freshness.catchUpThrottled();
    await Promise.resolve();
    expect(state.catchUps).to.equal(1);
    clock.advance(1);
    await Promise.all([first, freshness.catchUpThrottled()]);
    expect(state.catchUps).to.equal(2);
  });

  it('waits until 10 milliseconds after the start of the last catch-up', async () => {
    const { state, freshness } = createFixture();
    await freshness.catchUpThrottled();
    const catchUps = [1, 2, 3].map(() => freshness.catchUpThrottled());
    await Promise.resolve();
    expect(state.catchUps).to.equal(1);
    await Promise.all(catchUps);
    expect(state.catchUps).to.equal(2);
  });

  it('fails for all waiting callers, and does not prevent the next catch-up', async () => {
    const { state, freshness } = createFixture();
    state.isReachable = false;
    const outcomes = await Promise.allSettled([freshness.catchUpThrottled(), freshness.catchUpThrottled()]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    state.isReachable = true;
    await freshness.catchUpThrottled();
    expect(state.catchUps).to.equal(2);
  });
});
