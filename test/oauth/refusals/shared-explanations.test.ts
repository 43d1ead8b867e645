import { expect } from 'chai';
import { createExplanations, type Explanations } from '../../../src/oauth/refusals/explanations.ts';
import { SHARED_PER_SECOND, shareExplanations } from '../../../src/oauth/refusals/shared-explanations.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';
import { memoryBus, type MemoryBus } from '../../support/memory-broadcast.ts';
import { buildRefusedRequest } from '../../support/refused-request.ts';

describe('explanations of nodes that share a log', () => {
  let clock: ManualClock;
  let bus: MemoryBus;
  let a: Explanations;
  let b: Explanations;

  beforeEach(() => {
    clock = manualClock();
    bus = memoryBus();
    [a, b] = [node(), node()];
  });

  function node(): Explanations {
    return shareExplanations(createExplanations(), bus.node(), clock.ticks);
  }

  it('are the same on the node that refused the request and on other nodes', () => {
    a.record(buildRefusedRequest('one', { clientId: 'A', isProven: true }));
    bus.deliver();
    expect(b.find('one')).to.deep.equal(a.find('one'));
    expect(b.listByClient('A')).to.deep.equal(a.listByClient('A'));
    expect(b.recent()).to.deep.equal(a.recent());
  });

  it('are counted only by the node that refused the request', () => {
    a.record(buildRefusedRequest('one'));
    bus.deliver();
    expect([a, b].map((explanations) => explanations.counts()['parameter-missing'])).to.deep.equal([1, 0]);
  });

  it('are sent in a limited number per second, with a separate limit for authenticated clients', () => {
    const flood = 1_000;
    for (let index = 0; index < flood; index += 1) a.record(buildRefusedRequest(`x${index}`));
    a.record(buildRefusedRequest('own', { clientId: 'A', isProven: true }));
    bus.deliver();
    expect(b.recent()).to.have.length(SHARED_PER_SECOND.others + 1);
    expect(b.find('own')).not.to.equal(undefined);
    clock.advance(1);
    a.record(buildRefusedRequest('later'));
    bus.deliver();
    expect(b.find('later')).not.to.equal(undefined);
    expect(a.find(`x${flood - 1}`), 'on the node itself').not.to.equal(undefined);
  });

  it('are dropped if a different release sent unknown rules or members', () => {
    const otherRelease = bus.node();
    const malformedRefusals = [
      null,
      7,
      {},
      { ...buildRefusedRequest('rule'), refusal: { rule: 'a-rule-of-the-future' } },
      { ...buildRefusedRequest('proto'), refusal: { rule: 'constructor' } },
      { ...buildRefusedRequest('members'), refusal: { rule: 'parameter-value' } },
      { ...buildRefusedRequest('at'), at: 'now' },
      { ...buildRefusedRequest('client'), clientId: undefined },
    ];
    otherRelease.publish('refusals', JSON.stringify(malformedRefusals));
    otherRelease.publish('refusals', JSON.stringify([buildRefusedRequest('fine')]));
    bus.deliver();
    expect(b.recent().map(({ id }) => id)).to.deep.equal(['fine']);
  });
});
