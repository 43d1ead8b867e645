import { expect } from 'chai';
import fc from 'fast-check';
import { isOpenIdScope, isRestricted } from '../../../src/domain/scope.ts';
import { checkExchangePolicy, exchangingClientProblem } from '../../../src/oauth/exchange/policy-rules.ts';
import { englishProblem, englishProblems } from '../../support/english-problems.ts';

const KNOWN_NAMES = {
  scopes: { read: 'Read', write: 'Write', audit: 'Audit', openid: 'Log in' },
  resources: ['a:x', 'b:x'],
};
const aName = fc.constantFrom('read', 'write', 'audit', 'openid', 'unknown', 'not a scope');
const someFields = fc.record({
  modes: fc.array(fc.constantFrom('impersonation', 'delegation', 'theft')),
  scope: fc.option(fc.array(aName)),
  resources: fc.option(fc.array(fc.constantFrom('a:x', 'b:x', 'c:x', 'no URI'))),
});

describe('The rules of exchange policies', () => {
  it('accept only known modes, scopes that can be exchanged, and known resource servers', () => {
    fc.assert(
      fc.property(someFields, ({ modes, scope, resources }) => {
        const result = checkExchangePolicy({ modes, scope, resources }, KNOWN_NAMES);
        const expected = {
          modes: modes.length > 0 && !modes.includes('theft'),
          scope:
            scope === null || (scope.length > 0 && scope.every((scopeName) => ['read', 'write'].includes(scopeName))),
          resources: resources === null || (resources.length > 0 && resources.every((uri) => /^[ab]:x$/.test(uri))),
        };
        const problems = 'errors' in result ? Object.keys(result.errors) : [];
        expect(problems).to.have.members(
          Object.entries(expected).flatMap(([field, isValid]) => (isValid ? [] : [field])),
        );
        if ('errors' in result) return;
        expect(new Set(result.settings.modes)).to.deep.equal(new Set(modes));
        expect(result.settings.scope).to.deep.equal(scope && [...new Set(scope)]);
        expect(result.settings.resources).to.deep.equal(resources && [...new Set(resources)]);
        for (const scopeName of result.settings.scope ?? [])
          expect(isRestricted(scopeName) || isOpenIdScope(scopeName)).to.equal(false);
      }),
    );
  });

  it('record the modes in a fixed order, so that equivalent policies are equal', () => {
    const checkModes = (modes: readonly string[]) =>
      checkExchangePolicy({ modes, scope: null, resources: null }, KNOWN_NAMES);
    expect(checkModes(['delegation', 'impersonation', 'delegation'])).to.deep.equal(
      checkModes(['impersonation', 'delegation']),
    );
  });

  it('limit the number of names, and report an invalid name', () => {
    const names = Array.from({ length: 51 }, (_, index) => `s${index}`);
    const knownNames = { scopes: Object.fromEntries(names.map((name) => [name, name])), resources: names };
    const problemsFor = (scope: readonly string[], resources: readonly string[]) => {
      const result = checkExchangePolicy({ modes: ['delegation'], scope, resources }, knownNames);
      return 'errors' in result ? englishProblems(result.errors) : {};
    };
    expect(problemsFor(names.slice(1), names.slice(1))).to.deep.equal({});
    expect(problemsFor(names, names)).to.deep.equal({
      scope: 'A policy can list at most 50 scopes.',
      resources: 'A policy can list at most 50 resource servers.',
    });
    expect(problemsFor(['s0', 'other'], ['https://other.example/'])).to.deep.equal({
      scope: 'The scope other is neither in the settings nor defined by a resource server.',
      resources:
        'The resource server https://other.example/ is not known: register it, or add it to the resources setting.',
    });
    expect(problemsFor(['__proto__'], ['x'.repeat(257)])).to.deep.equal({
      scope: 'The scope __proto__ is neither in the settings nor defined by a resource server.',
      resources: 'The URI of a resource server must be absolute, without a fragment, and have at most 256 characters.',
    });
  });

  it('let only a confidential client exchange tokens', () => {
    expect(exchangingClientProblem({ clientType: 'confidential' })).to.equal(undefined);
    expect(englishProblem(exchangingClientProblem({ clientType: 'public' }))).to.include('confidential');
    expect(englishProblem(exchangingClientProblem(undefined))).to.equal('No application has this client id.');
  });
});
