import { expect } from 'chai';
import { policyDenial } from '../../../src/http/pipeline/policy-denial.ts';
import { allScopes } from '../../../src/policy/policies.ts';

describe('The explanation of a policy denial', () => {
  it('mentions a web session if the policy of an embedding application requires a token', () => {
    const policy = allScopes(['read']);
    const principal = { kind: 'session', userId: 'ada' } as const;
    const denial = policy({ method: 'GET', principal });
    expect(denial).to.deep.equal({ allowed: false, reason: 'unauthenticated' });
    if (denial.allowed) return;
    expect(
      policyDenial(denial, {
        requirements: policy.requirements('GET'),
        principal,
        authorization: 'absent',
        method: 'GET',
      }),
    ).to.deep.equal({ rule: 'credentials-missing', accepts: ['token'], seen: 'a web session' });
  });
});
