import { expect } from 'chai';
import * as fc from 'fast-check';
import { allOf, anyOf, objectCheck } from '../../src/policy/combinators.ts';
import { PolicyDeclarationError } from '../../src/policy/declaration.ts';
import { allScopes, alternativeScopes, authenticatedOrScope } from '../../src/policy/policies.ts';
import type { Policy, PolicyRequest } from '../../src/policy/policy.ts';
import type { Outcome } from '../support/policy-arbitraries.ts';
import {
  aMethod,
  anObject,
  anonymous,
  aPolicy,
  aPrincipal,
  bearer,
  sortVerdict,
  outcomeOf,
  session,
} from '../support/policy-arbitraries.ts';
import { unchecked } from '../support/unchecked.ts';

const aRequest: fc.Arbitrary<PolicyRequest> = fc.record({ method: aMethod, principal: aPrincipal, object: anObject });
const somePolicies = fc.array(aPolicy, { minLength: 1, maxLength: 4 });

/** Expects equal decisions on the request, and equal requirements. */
function expectEqual(request: PolicyRequest, left: Policy, right: Policy): void {
  expect(sortVerdict(left(request))).to.deep.equal(sortVerdict(right(request)));
  expect(formatRequirements(left, request.method)).to.deep.equal(formatRequirements(right, request.method));
  expect(left.needsObject).to.equal(right.needsObject);
}

function formatRequirements(policy: Policy, method: string): string[] {
  const requirements = policy
    .requirements(method)
    .map((requirement) =>
      requirement.credential !== 'token' ? requirement.credential : `token ${requirement.scope.toSorted().join(' ')}`,
    );
  return requirements
    .filter((requirement) => !requirements.some((otherRequirement) => covers(otherRequirement, requirement)))
    .toSorted();
}

/** Reports whether `requirement` is redundant because `otherRequirement` requires less. */
function covers(otherRequirement: string, requirement: string): boolean {
  if (otherRequirement === requirement || !otherRequirement.startsWith('token') || !requirement.startsWith('token'))
    return false;
  return otherRequirement.split(' ').every((name) => name === '' || requirement.split(' ').includes(name));
}

const NEGATION: Readonly<Record<Outcome, Outcome>> = { allowed: 'denied', undecided: 'undecided', denied: 'allowed' };

function conjunction(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('denied')) return 'denied';
  return outcomes.includes('undecided') ? 'undecided' : 'allowed';
}

function disjunction(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('allowed')) return 'allowed';
  return outcomes.includes('undecided') ? 'undecided' : 'denied';
}

describe('allOf and anyOf', () => {
  it('are idempotent', () => {
    fc.assert(
      fc.property(aPolicy, aRequest, (policy, request) => {
        expectEqual(request, allOf(policy, policy), allOf(policy));
        expectEqual(request, anyOf(policy, policy), anyOf(policy));
        expect(sortVerdict(allOf(policy)(request))).to.deep.equal(sortVerdict(policy(request)));
        expect(sortVerdict(anyOf(policy)(request))).to.deep.equal(sortVerdict(policy(request)));
      }),
    );
  });

  it('are commutative', () => {
    fc.assert(
      fc.property(aPolicy, aPolicy, aRequest, (a, b, request) => {
        expectEqual(request, allOf(a, b), allOf(b, a));
        expectEqual(request, anyOf(a, b), anyOf(b, a));
      }),
    );
  });

  it('are associative', () => {
    fc.assert(
      fc.property(aPolicy, aPolicy, aPolicy, aRequest, (a, b, c, request) => {
        expectEqual(request, allOf(a, allOf(b, c)), allOf(allOf(a, b), c));
        expectEqual(request, allOf(a, allOf(b, c)), allOf(a, b, c));
        expectEqual(request, anyOf(a, anyOf(b, c)), anyOf(anyOf(a, b), c));
        expectEqual(request, anyOf(a, anyOf(b, c)), anyOf(a, b, c));
      }),
    );
  });

  it('absorb one another', () => {
    fc.assert(
      fc.property(aPolicy, aPolicy, aRequest, (a, b, request) => {
        expect(sortVerdict(allOf(a, anyOf(a, b))(request))).to.deep.equal(sortVerdict(a(request)));
        expect(sortVerdict(anyOf(a, allOf(a, b))(request))).to.deep.equal(sortVerdict(a(request)));
      }),
    );
  });

  it('distribute over one another', () => {
    fc.assert(
      fc.property(aPolicy, aPolicy, aPolicy, aRequest, (a, b, c, request) => {
        expect(outcomeOf(allOf(a, anyOf(b, c))(request))).to.equal(outcomeOf(anyOf(allOf(a, b), allOf(a, c))(request)));
        expect(outcomeOf(anyOf(a, allOf(b, c))(request))).to.equal(outcomeOf(allOf(anyOf(a, b), anyOf(a, c))(request)));
      }),
    );
  });

  it('are the conjunction and the disjunction of their policies', () => {
    fc.assert(
      fc.property(somePolicies, aRequest, (policies, request) => {
        const outcomes = policies.map((policy) => outcomeOf(policy(request)));
        expect(outcomeOf(allOf(...policies)(request))).to.equal(conjunction(outcomes));
        expect(outcomeOf(anyOf(...policies)(request))).to.equal(disjunction(outcomes));
      }),
    );
  });

  it("obey De Morgan's laws", () => {
    fc.assert(
      fc.property(somePolicies, aRequest, (policies, request) => {
        const denials = policies.map((policy) => NEGATION[outcomeOf(policy(request))]);
        expect(NEGATION[outcomeOf(allOf(...policies)(request))]).to.equal(disjunction(denials));
        expect(NEGATION[outcomeOf(anyOf(...policies)(request))]).to.equal(conjunction(denials));
      }),
    );
  });

  it('list combinations of scopes that satisfy every scope rule if a scope is missing', () => {
    const policy = allOf(allScopes(['a']), anyOf(allScopes(['b']), allScopes(['c', 'd'])));
    expect(policy({ method: 'GET', principal: bearer(['a']) })).to.deep.equal({
      allowed: false,
      reason: 'insufficient-scope',
      alternatives: [
        ['a', 'b'],
        ['a', 'c', 'd'],
      ],
    });
  });

  it('describe their requirements as data', () => {
    const policy = allOf(authenticatedOrScope(['a']), anyOf(allScopes(['b']), authenticatedOrScope(['b', 'c'])));
    expect(policy.requirements('GET')).to.deep.equal([
      { credential: 'token', scope: ['a', 'b'] },
      { credential: 'session' },
    ]);
    const redundantPolicy = alternativeScopes({ GET: [['a', 'b'], ['a'], ['a']] });
    for (const combine of [allOf, anyOf]) {
      expect(combine(redundantPolicy).requirements('GET')).to.deep.equal([{ credential: 'token', scope: ['a'] }]);
    }
  });

  it('refuse an empty list, and anything that is not a policy', () => {
    for (const combine of [allOf, anyOf]) {
      expect(() => combine()).to.throw(PolicyDeclarationError);
      for (const value of [undefined, null, 'all-scopes', {}, () => ({ allowed: true }), allScopes]) {
        expect(() => combine(allScopes([]), unchecked(value))).to.throw(PolicyDeclarationError);
      }
    }
  });
});

describe('an object check', () => {
  const ownerOnly = objectCheck(({ userId }, object: { owner: string }) => object.owner === userId);

  it('is undecided without the object, and then allows nothing', () => {
    expect(ownerOnly({ method: 'GET', principal: session })).to.deep.equal({ allowed: false, reason: 'undecided' });
    expect(ownerOnly({ method: 'GET', principal: session, object: { owner: 'alice' } })).to.deep.equal({
      allowed: true,
    });
    expect(ownerOnly({ method: 'GET', principal: session, object: { owner: 'bob' } })).to.deep.equal({
      allowed: false,
      reason: 'forbidden',
    });
  });

  it('is decided with the object in every combination', () => {
    fc.assert(
      fc.property(aPolicy, aRequest, (policy, request) => {
        fc.pre(request.object !== undefined);
        expect(outcomeOf(policy(request))).to.not.equal('undecided');
      }),
    );
  });

  it('never changes a decision that was made without the object', () => {
    fc.assert(
      fc.property(aPolicy, aRequest, (policy, request) => {
        const decisionWithoutObject = policy({ method: request.method, principal: request.principal });
        fc.pre(outcomeOf(decisionWithoutObject) !== 'undecided');
        expect(outcomeOf(policy(request))).to.equal(outcomeOf(decisionWithoutObject));
      }),
    );
  });

  it('makes every combination that contains it require the object', () => {
    expect(anyOf(allScopes([]), allOf(ownerOnly)).needsObject).to.equal(true);
    expect(anyOf(allScopes([]), allOf(allScopes(['a']))).needsObject).to.equal(false);
  });

  it('is never evaluated for an anonymous caller', () => {
    const permissiveCheck = objectCheck(() => true);
    expect(permissiveCheck({ method: 'GET', principal: anonymous, object: {} })).to.deep.equal({
      allowed: false,
      reason: 'unauthenticated',
    });
  });

  it('allows a request only if its predicate returns exactly true', () => {
    for (const value of [Promise.resolve(true), 1, 'yes', {}, undefined]) {
      const policy = objectCheck(unchecked(() => value));
      expect(policy({ method: 'GET', principal: session, object: {} }).allowed).to.equal(false);
    }
  });

  it('without a predicate is refused', () => {
    expect(() => objectCheck(unchecked(undefined))).to.throw(PolicyDeclarationError);
  });

  it('passes the principal and the method, in upper case, to the predicate', () => {
    const calls: unknown[] = [];
    const policy = objectCheck((principal, object, method) => {
      calls.push([principal, object, method]);
      return true;
    });
    for (const principal of [session, bearer(['a'])])
      expect(policy({ method: 'patch', principal, object: 'object' })).to.deep.equal({ allowed: true });
    expect(calls).to.deep.equal([
      [session, 'object', 'PATCH'],
      [bearer(['a']), 'object', 'PATCH'],
    ]);
  });

  it('describes itself as open to any token and to a session', () => {
    expect(ownerOnly.requirements('GET')).to.deep.equal([
      { credential: 'token', scope: [] },
      { credential: 'session' },
    ]);
  });
});
