import { expect } from 'chai';
import { isDenial, isPolicy, isPrincipal } from '../../src/policy/policy.ts';

const INVALID_VALUES = [undefined, null, '', 'bearer', 1, true, [], {}, () => undefined];

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

  it('is not recognized with an unknown kind, or without a member that its kind requires', () => {
    for (const value of [
      ...INVALID_VALUES,
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
  it('has a known reason, and alternatives if scopes are missing', () => {
    for (const reason of ['unauthenticated', 'forbidden', 'undecided'])
      expect(isDenial({ allowed: false, reason }), reason).to.equal(true);
    expect(isDenial({ allowed: false, reason: 'insufficient-scope', alternatives: [['a']] })).to.equal(true);
  });

  it('is not recognized with an unknown reason, or without alternatives for missing scopes', () => {
    for (const value of [
      ...INVALID_VALUES,
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
  const createPolicyWith = (members: object): unknown => Object.assign(() => ({ allowed: true }), members);
  const requirements = (): readonly never[] => [];

  it('is a function with requirements that says whether it needs the object', () => {
    for (const needsObject of [true, false])
      expect(isPolicy(createPolicyWith({ requirements, needsObject }))).to.equal(true);
  });

  it('is not recognized if a member is missing or malformed', () => {
    for (const value of [
      ...INVALID_VALUES,
      { requirements, needsObject: false },
      createPolicyWith({ requirements }),
      createPolicyWith({ needsObject: false }),
      createPolicyWith({ requirements: [], needsObject: false }),
      createPolicyWith({ requirements, needsObject: 'no' }),
    ])
      expect(isPolicy(value)).to.equal(false);
  });
});
