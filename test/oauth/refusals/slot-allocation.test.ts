import { expect } from 'chai';
import fc from 'fast-check';
import type { RefusedRequest } from '../../../src/oauth/refusals/explanations.ts';
import { allocateSlots, type StoredRefusal } from '../../../src/oauth/refusals/slot-allocation.ts';

const LIMITS = { slots: 12, perClient: 5 } as const;
const FIRST_SLOT = 100;

const refusalBy = (clientId: string | null, id: number): RefusedRequest => ({
  id: String(id),
  at: id,
  method: 'POST',
  path: '/o/token/',
  error: null,
  clientId,
  isProven: true,
  refusal: { rule: 'client-secret-missing' },
});

/** Returns the contents of the slots after refusals for the given clients. */
function slotsAfter(clients: readonly (string | null)[]): ReadonlyMap<number, RefusedRequest> {
  const allocation = allocateSlots(FIRST_SLOT, LIMITS);
  const slots = new Map<number, RefusedRequest>();
  for (const [id, clientId] of clients.entries()) {
    const { slot, refused } = allocation.add(refusalBy(clientId, id));
    slots.set(slot, refused);
    expect(allocation.size()).to.equal(slots.size);
  }
  return slots;
}

const countRefusals = (slots: ReadonlyMap<number, RefusedRequest>, clientId: string | null): number =>
  [...slots.values()].filter((refused) => refused.clientId === clientId).length;

describe('The slots of stored refusals', () => {
  const clients = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', null), { maxLength: 80 });

  it('stay within their range and number, and within the limit of each client', () => {
    fc.assert(
      fc.property(clients, (clientIds) => {
        const slots = slotsAfter(clientIds);
        expect(slots.size).to.equal(Math.min(slots.size, LIMITS.slots));
        expect([...slots.keys()].every((slot) => slot >= FIRST_SLOT && slot < FIRST_SLOT + LIMITS.slots)).to.equal(
          true,
        );
        for (const client of new Set(clientIds)) expect(countRefusals(slots, client)).to.be.at.most(LIMITS.perClient);
      }),
    );
  });

  it('contain the newest refusals of each client', () => {
    fc.assert(
      fc.property(clients, (clientIds) => {
        const slots = slotsAfter(clientIds);
        for (const client of new Set(clientIds)) {
          const storedTimes = [...slots.values()].filter(({ clientId }) => clientId === client).map(({ at }) => at);
          const allTimes = clientIds.flatMap((name, index) => (name === client ? [index] : []));
          expect(storedTimes.toSorted((a, b) => a - b)).to.deep.equal(
            allTimes.slice(allTimes.length - storedTimes.length),
          );
        }
      }),
    );
  });

  it('keep a fair share for a client, whatever refusals other clients cause', () => {
    const share = Math.floor(LIMITS.slots / 6);
    fc.assert(
      fc.property(clients, fc.integer({ min: 1, max: share }), (clientIds, ownCount) => {
        const otherClients = clientIds.filter((name) => name !== 'a');
        const slots = slotsAfter([...Array.from({ length: ownCount }, () => 'a'), ...otherClients]);
        expect(countRefusals(slots, 'a')).to.equal(ownCount);
      }),
    );
  });

  it('contain as many refusals after a restore as without one, whatever refusals follow', () => {
    fc.assert(
      fc.property(clients, clients, (clientsBefore, clientsAfter) => {
        const [runningAllocation, restoredAllocation] = [
          allocateSlots(FIRST_SLOT, LIMITS),
          allocateSlots(FIRST_SLOT, LIMITS),
        ];
        const slots = new Map<number, StoredRefusal>();
        for (const [id, client] of clientsBefore.entries()) {
          const storedRefusal = runningAllocation.add(refusalBy(client, id));
          slots.set(storedRefusal.slot, storedRefusal);
        }
        const inOrder = [...slots.values()].toSorted((a, b) => a.refused.at - b.refused.at);
        for (const storedRefusal of inOrder) restoredAllocation.restore(storedRefusal);
        expect(restoredAllocation.size()).to.equal(runningAllocation.size());
        const contents = (allocation: typeof runningAllocation): readonly number[] => {
          const finalSlots = new Map(slots);
          for (const [id, client] of clientsAfter.entries()) {
            const storedRefusal = allocation.add(refusalBy(client, clientsBefore.length + id));
            finalSlots.set(storedRefusal.slot, storedRefusal);
          }
          return [...finalSlots.values()].map(({ refused }) => refused.at).toSorted((a, b) => a - b);
        };
        expect(contents(restoredAllocation).length).to.equal(contents(runningAllocation).length);
      }),
    );
  });
});
