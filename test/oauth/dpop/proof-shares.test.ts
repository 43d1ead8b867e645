import { expect } from 'chai';
import fc from 'fast-check';
import { createProofShares, type ProofSender } from '../../../src/oauth/dpop/proof-shares.ts';

const MAX = 20_000;
/** The guaranteed number of proofs for each of up to a hundred clients in a table of MAX proofs. */
const GUARANTEED = MAX / 400;
const PERIOD = 0;

const senderOf = (client: string): ProofSender => ({ client, caller: undefined });
const callerOf = (client: string, caller: string): ProofSender => ({ client, caller });

describe('the shares of the memory for used proofs', () => {
  const createTable = (max = MAX) => {
    const shares = createProofShares(max, 'salt');
    const use = (sender: ProofSender, period = PERIOD) => shares.take(sender, period);
    /** Uses proofs until one is refused, and returns how many were accepted. */
    const flood = (sender: ProofSender, period = PERIOD): number => {
      let accepted = 0;
      while (use(sender, period) === undefined) accepted += 1;
      return accepted;
    };
    return { shares, use, flood };
  };

  it('give more than half of the memory to a single client, and to a single caller of a client', () => {
    expect(createTable().flood(senderOf('alone'))).to.be.greaterThan(MAX / 2);
    expect(createTable().flood(callerOf('alone', 'address'))).to.be.greaterThan(MAX / 2);
  });

  it('refuse only the client that floods', () => {
    const { use, flood } = createTable();
    flood(senderOf('flooding'));
    expect(use(senderOf('flooding'))).to.equal('client');
    expect(use(senderOf('other'))).to.equal(undefined);
  });

  it('guarantee each of a hundred clients its share, for any number and order of proofs from other clients', () => {
    const anyUse = fc.record({
      client: fc.nat({ max: 99 }),
      caller: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
      times: fc.oneof(fc.nat({ max: GUARANTEED }), fc.constant(MAX)),
    });
    fc.assert(
      fc.property(fc.array(anyUse, { maxLength: 200 }), (uses) => {
        const { shares, use } = createTable();
        const used = new Map<number, number>();
        for (const { client, caller, times } of uses) {
          for (let time = 0; time < times; time += 1) {
            const before = used.get(client) ?? 0;
            const full = use({ client: String(client), caller: caller?.toString() });
            if (full === undefined) used.set(client, before + 1);
            else if (full !== 'caller') expect(before, String(client)).to.be.at.least(GUARANTEED);
            if (full !== undefined) break;
          }
        }
        expect(shares.size()).to.be.at.most(MAX);
        for (let client = 0; client < 100; client += 1)
          if ((used.get(client) ?? 0) < GUARANTEED)
            expect(use(senderOf(String(client))), String(client)).to.equal(undefined);
      }),
      { numRuns: 30 },
    );
  });

  it('leave room for other callers of a public client when one caller floods it', () => {
    const { use, flood } = createTable(400_000); // large enough that callers with a shared counter do not matter
    flood(callerOf('public', 'flooding'));
    expect(use(callerOf('public', 'flooding'))).to.equal('caller');
    for (let caller = 0; caller < 100; caller += 1)
      expect(use(callerOf('public', `caller ${caller}`))).to.equal(undefined);
  });

  it('are free again when the proofs of their period are forgotten', () => {
    const { shares, use, flood } = createTable();
    const first = flood(callerOf('public', 'flooding'), 1);
    use(senderOf('other'), 2);
    shares.forget(1);
    expect(shares.size()).to.equal(1);
    expect(flood(callerOf('public', 'flooding'), 2)).to.be.within(first - 10, first);
    shares.forget(2);
    shares.forget(2);
    expect(shares.size()).to.equal(0);
    expect(flood(callerOf('public', 'flooding'), 3)).to.equal(first);
  });
});
