import { expect } from 'chai';
import { isDenial, isPolicy, isPrincipal } from '../../src/policy/policy.ts';

const NOTHING = [undefined, null, '', 'bearer', 1, true, [], {}, () => undefined];

describe('a principal', () => {
  it('is anonymous, or has a user or a list of scopes, as its kind requires', () => {
    for (const value of [
      { kind: 'anonymous' },
      { kind: 'session', userId: 'alice' },
      { kind: 'bearer', scope: [] },
      { kind: 'bearer', scope: ['a'], clientId: 'client', userId: null },
    ])
      expect(isPrincipal(value), JSON.stringify(value)).to.equal(true);
  });

  it('is nothing else', () => {
    for (const value of [
      ...NOTHING,
      { userId: 'alice', scope: [] },
      { kind: '', userId: 'alice', scope: [] },
      { kind: 'administrator', userId: 'alice', scope: [] },
      { kind: 'session' },
      { kind: 'session', userId: 1 },
      { kind: 'session', scope: [] },
      { kind: 'bearer' },
      { kind: 'bearer', scope: 'a' },
      { kind: 'bearer', userId: 'alice' },
    ])
      expect(isPrincipal(value), JSON.stringify(value)).to.equal(false);
  });
});

describe('a denial', () => {
  it('has a known reason, and a lack of scopes has alternatives', () => {
    for (const reason of ['unauthenticated', 'forbidden', 'undecided'])
      expect(isDenial({ allowed: false, reason }), reason).to.equal(true);
    expect(isDenial({ allowed: false, reason: 'insufficient-scope', alternatives: [['a']] })).to.equal(true);
  });

  it('is nothing else', () => {
    for (const value of [
      ...NOTHING,
      { allowed: true },
      { alternatives: [['a']] },
      { reason: '', alternatives: [['a']] },
      { reason: 'other', alternatives: [['a']] },
      { reason: 'insufficient-scope' },
      { reason: 'insufficient-scope', alternatives: [] },
      { reason: 'insufficient-scope', alternatives: 'a' },
    ])
      expect(isDenial(value), JSON.stringify(value)).to.equal(false);
  });
});

describe('a policy', () => {
  const policyOf = (members: object): unknown => Object.assign(() => ({ allowed: true }), members);
  const requirements = (): readonly never[] => [];

  it('is a function with requirements that says whether it needs the object', () => {
    for (const needsObject of [true, false]) expect(isPolicy(policyOf({ requirements, needsObject }))).to.equal(true);
  });

  it('is nothing else', () => {
    for (const value of [
      ...NOTHING,
      { requirements, needsObject: false },
      policyOf({ requirements }),
      policyOf({ needsObject: false }),
      policyOf({ requirements: [], needsObject: false }),
      policyOf({ requirements, needsObject: 'no' }),
    ])
      expect(isPolicy(value)).to.equal(false);
  });
});
