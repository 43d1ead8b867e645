import { expect } from 'chai';
import * as fc from 'fast-check';
import { isWithin } from '../../src/domain/scope.ts';
import {
  conjunction,
  disjunction,
  NO_CREDENTIAL,
  SESSION,
  tokenRequirement,
  tokenScopes,
  type Requirement,
} from '../../src/policy/requirements.ts';
import { someScopes } from '../support/policy-arbitraries.ts';

const aRequirement: fc.Arbitrary<Requirement> = fc.oneof(
  { weight: 3, arbitrary: someScopes.map(tokenRequirement) },
  { weight: 1, arbitrary: fc.constantFrom(SESSION, NO_CREDENTIAL) },
);
const anyRequirements = fc.array(aRequirement, { maxLength: 4 });

/** The scope of a token, a web session, or neither. */
const aCredential = fc.oneof(
  { weight: 3, arbitrary: someScopes },
  { weight: 1, arbitrary: fc.constantFrom('session' as const, 'none' as const) },
);
type Credential = readonly string[] | 'session' | 'none';

function meets(credential: Credential, alternatives: readonly Requirement[]): boolean {
  return alternatives.some((requirement) => {
    if (requirement.credential === 'token') return Array.isArray(credential) && isWithin(requirement.scope, credential);
    return requirement.credential === 'none' || requirement.credential === credential;
  });
}

describe('requirements', () => {
  it('of a conjunction are met by the credentials that meet both sides', () => {
    fc.assert(
      fc.property(anyRequirements, anyRequirements, aCredential, (left, right, credential) => {
        expect(meets(credential, conjunction(left, right))).to.equal(
          meets(credential, left) && meets(credential, right),
        );
      }),
    );
  });

  it('of a disjunction are met by the credentials that meet either side', () => {
    fc.assert(
      fc.property(anyRequirements, anyRequirements, aCredential, (left, right, credential) => {
        expect(meets(credential, disjunction(left, right))).to.equal(
          meets(credential, left) || meets(credential, right),
        );
      }),
    );
  });

  it('are joined without redundant alternatives', () => {
    fc.assert(
      fc.property(anyRequirements, anyRequirements, (left, right) => {
        for (const joinedRequirements of [conjunction(left, right), disjunction(left, right)]) {
          const scopes = tokenScopes(joinedRequirements);
          expect(joinedRequirements.filter(({ credential }) => credential === 'token')).to.have.length(scopes.length);
          for (const [position, scope] of scopes.entries())
            expect(scopes.some((otherScope, index) => index !== position && isWithin(otherScope, scope))).to.equal(
              false,
            );
          if (joinedRequirements.includes(NO_CREDENTIAL)) expect(joinedRequirements).to.deep.equal([NO_CREDENTIAL]);
        }
      }),
    );
  });
});
