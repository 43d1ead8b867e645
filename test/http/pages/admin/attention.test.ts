import { expect } from 'chai';
import fc from 'fast-check';
import { attentionItems, type AttentionFacts } from '../../../../src/http/pages/admin/attention.ts';
import { english } from '../../../../src/language/english.ts';
import { clientId, providerId } from '../../../support/domain-values.ts';

const NOW = 1_700_000_000;

const HEALTHY: AttentionFacts = {
  now: NOW,
  obstacle: null,
  state: {
    accountsWithoutKey: () => 0,
    clientsWithoutKey: () => 0,
    checkpoints: () => ({ count: 1, newest: 10 }),
    clockBehindSeconds: () => 0,
    isDiskLow: () => false,
    isLogWritable: () => true,
    logHead: () => 10,
    logoutDeliveries: () => ({ pending: 0, delivered: 0, failed: 0 }),
    projectedEvents: () => 10,
    signingKeySecondsLeft: () => ({ ES256: 90 * 86_400, RS256: null }),
    storedLogCheck: () => ({ checked: 10, damagedPlaces: 0 }),
    writeFailures: () => ({ tiles: 0 }),
  },
  administratorsWithoutFactor: 0,
  usersWithoutRequiredFactor: 0,
  failedProviders: [],
  clientsWithExpiringSecret: [],
  refusals: [],
  nameOf: (id) => `the application ${id}`,
};

const messages = (changes: Partial<AttentionFacts>): readonly string[] =>
  attentionItems({ ...HEALTHY, ...changes }).map(({ text }) => english.text(text));
const withState = (changes: Partial<AttentionFacts['state']>): readonly string[] =>
  messages({ state: { ...HEALTHY.state, ...changes } });
const refusals = (id: string, count: number, at = NOW): AttentionFacts['refusals'] =>
  Array.from({ length: count }, () => ({ clientId: id, isProven: true, at }));

describe('the list of problems that need attention', () => {
  it('is empty on a healthy server', () => expect(messages({})).to.deep.equal([]));

  for (const [name, items, text] of [
    ['an obstacle', messages({ obstacle: 'it is replaying the log' }), 'it is replaying the log'],
    ['a failed write', withState({ isLogWritable: () => false }), 'can no longer be written to'],
    ['a full disk', withState({ isDiskLow: () => true }), 'disk is almost full'],
    ['damage', withState({ storedLogCheck: () => ({ checked: 5, damagedPlaces: 2 }) }), 'damaged in 2 places'],
    ['a clock that was set back', withState({ clockBehindSeconds: () => 61.2 }), '61 s behind'],
    ['missing keys of accounts', withState({ accountsWithoutKey: () => 1 }), 'keys of 1 account are missing'],
    ['missing keys of applications', withState({ clientsWithoutKey: () => 3 }), 'keys of 3 applications are missing'],
    [
      'a signing key that has expired',
      withState({ signingKeySecondsLeft: () => ({ ES256: 0 }) }),
      'For ES256, no new signing key was introduced in time',
    ],
    [
      'a signing key that is about to expire',
      withState({ signingKeySecondsLeft: () => ({ ES256: 60 }) }),
      'For ES256, no new signing key was introduced in time',
    ],
    ['a log without a checkpoint', withState({ checkpoints: () => ({ count: 0, newest: 0 }) }), 'No checkpoint'],
    ['projections that are behind', withState({ logHead: () => 5_000 }), 'behind the log'],
    ['files that were not written', withState({ writeFailures: () => ({ tiles: 4, head: 0 }) }), 'tiles (4)'],
    ['failed logout tokens', withState({ logoutDeliveries: () => ({ failed: 2 }) }), '2 logout tokens'],
    [
      'administrators without a second factor',
      messages({ administratorsWithoutFactor: 1 }),
      '1 administrator has no second factor',
    ],
    ['users who must set up a second factor', messages({ usersWithoutRequiredFactor: 2 }), '2 users must set up'],
    [
      'an enabled provider whose connection failed',
      messages({ failedProviders: [{ providerId: providerId('okta'), name: 'Partner Okta' }] }),
      'Partner Okta is on the login page, but the last connection to it failed',
    ],
    [
      'an old secret that is still in use',
      messages({ clientsWithExpiringSecret: [{ clientId: clientId('A'), name: 'Loom' }] }),
      'Loom still uses its old',
    ],
    ['refusals', messages({ refusals: refusals('a', 20) }), 'At least 20 requests from the application a'],
  ] as const)
    it(`contains ${name}, and nothing else`, () => {
      expect(items).to.have.length(1);
      expect(items[0]).to.include(text);
    });

  it('leaves out rare, old and unproven refusals', () => {
    expect(messages({ refusals: refusals('a', 19) })).to.deep.equal([]);
    expect(messages({ refusals: refusals('a', 50, NOW - 86_400) })).to.deep.equal([]);
    const unprovenRefusals = refusals('a', 50).map((refusal) => ({ ...refusal, isProven: false }));
    expect(messages({ refusals: unprovenRefusals })).to.deep.equal([]);
  });

  it('contains at most five applications, starting with the one that has the most refusals', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 12 }), (counts) => {
        const allRefusals = counts.flatMap((count, index) => refusals(`client${index}`, count));
        const items = messages({ refusals: allRefusals });
        expect(items).to.have.length(Math.min(5, counts.filter((count) => count >= 20).length));
        const maximum = Math.max(0, ...counts);
        if (items[0] !== undefined) expect(items[0]).to.include(`At least ${maximum} requests`);
      }),
    );
  });

  it('begins with the urgent items', () => {
    const items = attentionItems({
      ...HEALTHY,
      administratorsWithoutFactor: 1,
      obstacle: 'x',
      state: { ...HEALTHY.state, isDiskLow: () => true },
    });
    expect(items.map(({ tone }) => tone)).to.deep.equal(['danger', 'danger', 'warning']);
  });
});
