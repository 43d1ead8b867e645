import { expect } from 'chai';
import { details } from '../../src/policy/details.ts';
import { allOf } from '../../src/policy/combinators.ts';
import { PolicyDeclarationError } from '../../src/policy/declaration.ts';
import { allScopes } from '../../src/policy/policies.ts';
import type { Principal } from '../../src/policy/policy.ts';
import { unchecked } from '../support/unchecked.ts';

const bearer = (...types: readonly string[]): Principal => ({
  kind: 'bearer',
  clientId: 'client',
  userId: 'alice',
  scope: ['read'],
  ...(types.length > 0 && { details: types.map((type) => ({ type, actions: ['GET'] })) }),
});
const detailsForMethod = details('payment', (detail, method) =>
  (detail['actions'] as readonly string[]).includes(method),
);
const decide = (principal: Principal, method = 'get', policy = detailsForMethod) => {
  const verdict = policy({ method, principal });
  return verdict.allowed ? 'allowed' : verdict.reason;
};

describe('the details policy', () => {
  it('allows only a token with a detail of its type that the check accepts', () => {
    expect(decide(bearer('payment'))).to.equal('allowed');
    expect(decide(bearer('other', 'payment'))).to.equal('allowed');
    expect(decide(bearer('payment'), 'POST')).to.equal('forbidden');
    expect(decide(bearer('other'))).to.equal('forbidden');
    expect(decide(bearer())).to.equal('forbidden');
    expect(decide({ kind: 'anonymous' })).to.equal('unauthenticated');
    expect(decide({ kind: 'session', userId: 'alice' })).to.equal('unauthenticated');
  });

  it('denies the request if the check returns anything except true', () => {
    for (const value of [Promise.resolve(true), 1, 'true', {}, undefined])
      expect(
        decide(
          bearer('payment'),
          'GET',
          details(
            'payment',
            unchecked(() => value),
          ),
        ),
      ).to.equal('forbidden');
  });

  it('can be combined with scopes', () => {
    const policy = allOf(detailsForMethod, allScopes(['read']));
    expect(decide(bearer('payment'), 'GET', policy)).to.equal('allowed');
    expect(decide(bearer('payment'), 'GET', allOf(detailsForMethod, allScopes(['write'])))).to.equal(
      'insufficient-scope',
    );
    expect(policy.requirements('GET')).to.deep.equal([{ credential: 'token', scope: ['read'] }]);
  });

  it('decides without the object of the request', () => {
    expect(detailsForMethod.needsObject).to.equal(false);
  });

  it('refuses a declaration without a type or a check', () => {
    for (const type of ['', unchecked(undefined), unchecked(['payment'])])
      expect(() => details(type, () => true)).to.throw(PolicyDeclarationError, 'policy details: the type');
    expect(() => details('payment', unchecked(undefined))).to.throw(
      PolicyDeclarationError,
      'policy details: the check',
    );
  });
});
