import { expect } from 'chai';
import fc from 'fast-check';
import type { ClientId, EpochSeconds, UserId } from '../../../src/domain/values.ts';
import type { Position } from '../../../src/event-store/event-log.ts';
import { createDeliveryQueue, MAX_ATTEMPTS, type Delivery } from '../../../src/oauth/openid/delivery-queue.ts';

const FAILURE = { reason: 'timed-out' } as const;

const deliveryTo = (client: string, session = 'session'): Delivery => ({
  logout: {
    clientId: client as ClientId,
    userId: 'user' as UserId,
    sessionHash: session,
    endedAt: 0 as EpochSeconds,
    position: 1 as Position,
  },
  attempts: 0,
});

function createQueue(...deliveries: readonly Delivery[]) {
  const queue = createDeliveryQueue();
  deliveries.forEach(queue.add);
  const takeAll = (now = 0): readonly Delivery[] => {
    const deliveriesTaken: Delivery[] = [];
    for (let next = queue.take(now); next !== undefined; next = queue.take(now)) deliveriesTaken.push(next);
    return deliveriesTaken;
  };
  return { ...queue, takeAll, takeAllClients: (now = 0) => takeAll(now).map(({ logout }) => String(logout.clientId)) };
}

const createDeliveries = (count: number, client = (_index: number) => 'one'): readonly Delivery[] =>
  Array.from({ length: count }, (_, index) => deliveryTo(client(index), `session ${index}`));

describe('the logout token queue', () => {
  it('lets clients take turns', () => {
    const queue = createQueue(...createDeliveries(3), deliveryTo('two'), deliveryTo('three'));
    expect(queue.takeAllClients()).to.deep.equal(['one', 'two', 'three']);
  });

  it('begins one delivery to a client, and four concurrent deliveries after the first success', () => {
    const queue = createQueue(...createDeliveries(9));
    const [firstDelivery] = queue.takeAll();
    expect(queue.takeAll()).to.deep.equal([]);
    queue.succeed(firstDelivery ?? expect.fail());
    expect(queue.takeAll()).to.have.length(4);
  });

  it('has at most 64 deliveries in progress', () => {
    expect(createQueue(...createDeliveries(100, (index) => `client ${index}`)).takeAll()).to.have.length(64);
  });

  it('retries a delivery after increasing pauses', () => {
    const queue = createQueue(deliveryTo('one'));
    let [now, delivery] = [0, queue.take(0) ?? expect.fail()];
    const pauses: number[] = [];
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      queue.fail(delivery, FAILURE, now);
      let seconds = 0;
      let next: Delivery | undefined;
      while (next === undefined) next = queue.take(now + (seconds += 5) * 1000);
      pauses.push(seconds);
      now += seconds * 1000;
      delivery = next;
      expect(delivery.attempts).to.equal(attempt);
    }
    expect(pauses).to.deep.equal([5, 30, 120, 600, 1_800]);
  });

  it('retries a postponed delivery after five seconds, without counting it as an attempt', () => {
    const queue = createQueue(deliveryTo('one'));
    queue.postpone(queue.take(0) ?? expect.fail(), 0);
    expect(queue.take(4_999)).to.equal(undefined);
    expect(queue.take(5_000)?.attempts).to.equal(0);
    expect(queue.lastFailure('one' as ClientId)).to.equal(undefined);
  });

  it('lets all failing clients share eight deliveries, so that other clients are not delayed', () => {
    const queue = createQueue(...createDeliveries(80, (index) => `failing ${index % 40}`));
    for (const delivery of queue.takeAll()) queue.fail(delivery, FAILURE, 0);
    expect(queue.takeAll()).to.have.length(8);
    createDeliveries(20, (index) => `healthy ${index}`).forEach(queue.add);
    expect(queue.takeAllClients().every((client) => client.startsWith('healthy'))).to.equal(true);
  });

  it('begins four deliveries to a client again after a success', () => {
    const queue = createQueue(...createDeliveries(6));
    queue.fail(queue.take(0) ?? expect.fail(), FAILURE, 0);
    expect(queue.lastFailure('one' as ClientId)).to.equal(FAILURE);
    const [next, ...otherDeliveries] = queue.takeAll();
    expect(otherDeliveries).to.deep.equal([]);
    queue.succeed(next ?? expect.fail());
    expect(queue.lastFailure('one' as ClientId)).to.equal(undefined);
    expect(queue.takeAll()).to.have.length(4);
  });

  it('loses no delivery and begins none twice, in any sequence of steps', () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom('add', 'take', 'succeed', 'fail', 'postpone', 'give up', 'wait'), fc.nat(11)),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(steps, (sequence) => {
        const queue = createDeliveryQueue();
        const active: Delivery[] = [];
        let [now, addedCount, endedCount] = [0, 0, 0];
        for (const [step, choice] of sequence) {
          const [delivery] = step === 'add' || step === 'take' ? [] : active.splice(choice % (active.length || 1), 1);
          if (step === 'add') queue.add(deliveryTo(`client ${choice}`, `session ${(addedCount += 1)}`));
          else if (step === 'take') active.push(...[queue.take(now)].flatMap((taken) => taken ?? []));
          else if (step === 'wait') now += choice * 60_000;
          if (step === 'wait' && delivery !== undefined) active.push(delivery);
          if (delivery === undefined || step === 'wait') continue;
          if (step === 'fail') queue.fail({ ...delivery, attempts: delivery.attempts % 5 }, FAILURE, now);
          else if (step === 'postpone') queue.postpone(delivery, now);
          else endedCount += 1;
          if (step === 'succeed') queue.succeed(delivery);
          if (step === 'give up') queue.giveUp(delivery, FAILURE);
        }
        const sessions = new Set<string>(active.map(({ logout }) => logout.sessionHash));
        expect(sessions.size).to.equal(active.length);
        for (;;) {
          for (const delivery of active.splice(0)) {
            endedCount += 1;
            queue.succeed(delivery);
          }
          now += 3_600_000;
          const next = queue.take(now);
          if (next === undefined) break;
          expect(sessions.has(next.logout.sessionHash)).to.equal(false);
          sessions.add(next.logout.sessionHash);
          active.push(next);
        }
        expect(endedCount).to.equal(addedCount);
      }),
    );
  });
});
