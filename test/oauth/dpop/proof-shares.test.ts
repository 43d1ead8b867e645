import { expect } from 'chai';
import fc from 'fast-check';
import { createProofShares, type ProofSender } from '../../../src/oauth/dpop/proof-shares.ts';

const MAX_PROOFS = 20_000;
/** The guaranteed number of proofs for each of up to a hundred clients in a table of MAX_PROOFS proofs. */
const GUARANTEED_PROOFS = MAX_PROOFS / 400;
const PERIOD = 0;

const senderFor = (client: string): ProofSender => ({ client, caller: undefined });
const callerFor = (client: string, caller: string): ProofSender => ({ client, caller });

describe('the shares of the memory for used proofs', () => {
  const createTable = (max = MAX_PROOFS) => {
    const shares = createProofShares(max, 'salt');
    const useProof = (sender: ProofSender, period = PERIOD) => shares.take(sender, period);
    /** Uses proofs until one is refused, and returns how many were accepted. */
    const flood = (sender: ProofSender, period = PERIOD): number => {
      let acceptedCount = 0;
      while (useProof(sender, period) === undefined) acceptedCount += 1;
      return acceptedCount;
    };
    return { shares, useProof, flood };
  };

  it('give more than half of the memory to a single client, and to a single caller of a client', () => {
    expect(createTable().flood(senderFor('alone'))).to.be.greaterThan(MAX_PROOFS / 2);
    expect(createTable().flood(callerFor('alone', 'address'))).to.be.greaterThan(MAX_PROOFS / 2);
  });

  it('are exhausted only for the client that floods the memory', () => {
    const { useProof, flood } = createTable();
    flood(senderFor('flooding'));
    expect(useProof(senderFor('flooding'))).to.equal('client');
    expect(useProof(senderFor('other'))).to.equal(undefined);
  });

  it('guarantee each of a hundred clients its share, for any number and order of proofs from other clients', () => {
    const anyUse = fc.record({
      client: fc.nat({ max: 99 }),
      caller: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
      times: fc.oneof(fc.nat({ max: GUARANTEED_PROOFS }), fc.constant(MAX_PROOFS)),
    });
    fc.assert(
      fc.property(fc.array(anyUse, { maxLength: 200 }), (uses) => {
        const { shares, useProof } = createTable();
        const usedCounts = new Map<number, number>();
        for (const { client, caller, times } of uses) {
          for (let attempt = 0; attempt < times; attempt += 1) {
            const usedCount = usedCounts.get(client) ?? 0;
            const exceededLimit = useProof({ client: String(client), caller: caller?.toString() });
            if (exceededLimit === undefined) usedCounts.set(client, usedCount + 1);
            else if (exceededLimit !== 'caller') expect(usedCount, String(client)).to.be.at.least(GUARANTEED_PROOFS);
            if (exceededLimit !== undefined) break;
          }
        }
        expect(shares.size()).to.be.at.most(MAX_PROOFS);
        for (let client = 0; client < 100; client += 1)
          if ((usedCounts.get(client) ?? 0) < GUARANTEED_PROOFS)
            expect(useProof(senderFor(String(client))), String(client)).to.equal(undefined);
      }),
      { numRuns: 30 },
    );
  });

  it('leave room for other callers of a public client when one caller floods it', () => {
    const { useProof, flood } = createTable(400_000); // so large that callers rarely share a counter
    flood(callerFor('public', 'flooding'));
    expect(useProof(callerFor('public', 'flooding'))).to.equal('caller');
    for (let caller = 0; caller < 100; caller += 1)
      expect(useProof(callerFor('public', `caller ${caller}`))).to.equal(undefined);
  });

  it('are free again when the proofs of their period are forgotten', () => {
    const { shares, useProof, flood } = createTable();
    const firstCount = flood(callerFor('public', 'flooding'), 1);
    useProof(senderFor('other'), 2);
    shares.forget(1);
    expect(shares.size()).to.equal(1);
    expect(flood(callerFor('public', 'flooding'), 2)).to.be.within(firstCount - 10, firstCount);
    shares.forget(2);
    shares.forget(2);
    expect(shares.size()).to.equal(0);
    expect(flood(callerFor('public', 'flooding'), 3)).to.equal(firstCount);
  });
});
