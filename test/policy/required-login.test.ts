import { expect } from 'chai';
import fc from 'fast-check';
import { PolicyDeclarationError } from '../../src/policy/declaration.ts';
import type { AuthenticatedPrincipal, PrincipalLogin } from '../../src/policy/policy.ts';
import { loginShortfall, parseLoginRequirement, type LoginOptions } from '../../src/policy/required-login.ts';
import { unchecked } from '../support/unchecked.ts';

const NOW = 1_000_000;

const bearer = (login?: PrincipalLogin, userId: string | null = 'alice'): AuthenticatedPrincipal => ({
  kind: 'bearer',
  clientId: 'client',
  userId,
  scope: [],
  ...(login && { login }),
});

function findProblem(options: LoginOptions, principal: AuthenticatedPrincipal): string | undefined {
  const requirement = parseLoginRequirement(options);
  if (requirement === undefined) throw new Error('the options require no login');
  return loginShortfall(requirement, principal, NOW)?.problem;
}

describe('A required login', () => {
  it('has an age of at most maxAge, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90_000 }), fc.integer({ min: -300, max: 100_000 }), (maxAge, age) => {
        const principal = bearer({ authTime: NOW - age });
        expect(findProblem({ maxAge }, principal)).to.equal(age > maxAge ? 'too-old' : undefined);
      }),
    );
  });

  it('is still accepted when its age equals maxAge', () => {
    expect([59, 60, 61].map((age) => findProblem({ maxAge: 60 }, bearer({ authTime: NOW - age })))).to.deep.equal([
      undefined,
      undefined,
      'too-old',
    ]);
  });

  it('has one of the required classes, or a stronger class of this server', () => {
    for (const [requiredClasses, acr, expected] of [
      ['mfa', 'mfa', undefined],
      ['mfa', 'phr', undefined],
      ['mfa', 'pwd', 'too-weak'],
      [['phr'], 'mfa', 'too-weak'],
      [['phr', 'pwd'], 'mfa', undefined],
      ['urn:gold', 'phr', 'too-weak'],
      ['urn:gold', 'urn:gold', undefined],
      ['pwd', 'urn:gold', 'too-weak'],
    ] as const)
      for (const principal of [bearer({ acr }), { kind: 'session', userId: 'alice', login: { acr } } as const])
        expect(findProblem({ acr: requiredClasses }, principal), `${String(requiredClasses)} ${acr}`).to.equal(
          expected,
        );
  });

  it('must belong to a user, and must record every required value', () => {
    const login = { authTime: NOW, acr: 'phr' };
    expect(findProblem({ maxAge: 60 }, bearer(login, null))).to.equal('no-user');
    for (const options of [{ maxAge: 60 }, { acr: 'pwd' }, { maxAge: 60, acr: 'pwd' }]) {
      expect(findProblem(options, bearer())).to.equal('not-recorded');
      expect(findProblem(options, bearer(login))).to.equal(undefined);
    }
    expect(findProblem({ acr: 'pwd' }, bearer({ authTime: NOW }))).to.equal('not-recorded');
    expect(findProblem({ maxAge: 60 }, bearer({ acr: 'phr' }))).to.equal('not-recorded');
    expect(findProblem({ maxAge: 60 }, bearer({ authTime: NOW }))).to.equal(undefined);
  });

  it('that is not met states the age and the class of the actual login', () => {
    const requirement = parseLoginRequirement({ maxAge: 60, acr: 'pwd' });
    expect(
      requirement && loginShortfall(requirement, bearer({ authTime: NOW - 61, acr: 'mfa' }), NOW + 0.5),
    ).to.deep.equal({
      problem: 'too-old',
      ageSeconds: 61,
      acr: 'mfa',
    });
  });

  it('is not required without an option', () => {
    expect(parseLoginRequirement({})).to.equal(undefined);
  });

  it('is refused at declaration if it could be misunderstood, or could never be met', () => {
    for (const options of [
      { maxAge: 0 },
      { maxAge: -1 },
      { maxAge: 1.5 },
      { maxAge: Number.NaN },
      { maxAge: '60' },
      { acr: [] },
      { acr: '' },
      { acr: 'two words' },
      { acr: ['pwd', 'with"quote'] },
      { acr: ['pwd', 5] },
      { acr: null },
      { acr: 'x'.repeat(257) },
    ])
      expect(() => parseLoginRequirement(unchecked(options)), JSON.stringify(options)).to.throw(
        PolicyDeclarationError,
        'policy required-login',
      );
  });
});
