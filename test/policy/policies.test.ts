import { expect } from 'chai';
import * as fc from 'fast-check';
import { unreachable } from '../../src/domain/values.ts';
import { PolicyDeclarationError, declareForRoute } from '../../src/policy/declaration.ts';
import {
  allScopes,
  alternativeScopes,
  authenticatedOrScope,
  readWrite,
  resourceScope,
} from '../../src/policy/policies.ts';
import type { Policy, Principal } from '../../src/policy/policy.ts';
import type { Declaration } from '../support/policy-arbitraries.ts';
import {
  aDeclaration,
  aMethod,
  anonymous,
  aPolicy,
  aPrincipal,
  aScopePolicy,
  atLeastOneScope,
  bearer,
  createPolicy,
  sortVerdict,
  session,
  SETTINGS,
  someScopes,
  includesAlternative,
} from '../support/policy-arbitraries.ts';
import { unchecked } from '../support/unchecked.ts';

type Decision = 'allowed' | 'unauthenticated' | 'forbidden' | 'insufficient-scope';

function decide(policy: Policy, method: string, principal: Principal): string {
  const verdict = policy({ method, principal });
  return verdict.allowed ? 'allowed' : verdict.reason;
}

/** Decides by the specification's table, independently of the policies. */
function decideByTable(declaration: Declaration, method: string, principal: Principal): Decision {
  if (principal.kind === 'anonymous') return 'unauthenticated';
  if (principal.kind === 'session')
    return declaration.kind === 'authenticated-or-scope' ? 'allowed' : 'unauthenticated';
  const tokenScopes = new Set(principal.scope);
  const lists = listAcceptedScopes(declaration, method);
  if (lists === undefined) return 'forbidden';
  for (const list of lists) {
    if (list.filter((name) => !tokenScopes.has(name)).length === 0) return 'allowed';
  }
  return 'insufficient-scope';
}

function listAcceptedScopes(declaration: Declaration, method: string): readonly (readonly string[])[] | undefined {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  switch (declaration.kind) {
    case 'all-scopes':
      return [declaration.required];
    case 'read-write':
      return [[...(declaration.required ?? []), isRead ? 'read' : 'write']];
    case 'resource-scope':
      return [declaration.resources.map((name) => name + (isRead ? ':read' : ':write'))];
    case 'authenticated-or-scope': {
      if (Array.isArray(declaration.required)) return [declaration.required];
      const scopesByMethod = new Map(Object.entries(declaration.required));
      const list = scopesByMethod.get(method) ?? (method === 'HEAD' ? scopesByMethod.get('GET') : undefined);
      return list === undefined ? undefined : [list];
    }
    case 'alternative-scopes': {
      const listsByMethod = new Map(Object.entries(declaration.alternatives));
      return listsByMethod.get(method) ?? (method === 'HEAD' ? listsByMethod.get('GET') : undefined);
    }
    default:
      return unreachable(declaration);
  }
}

describe('scope permission policies', () => {
  it("agree with the specification's table", () => {
    fc.assert(
      fc.property(aDeclaration, aMethod, aPrincipal, (declaration, method, principal) => {
        expect(decide(createPolicy(declaration), method, principal)).to.equal(
          decideByTable(declaration, method, principal),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('are monotone: additional scopes never remove access', () => {
    fc.assert(
      fc.property(aPolicy, aMethod, someScopes, someScopes, (policy, method, tokenScopes, additionalScopes) => {
        fc.pre(policy({ method, principal: bearer(tokenScopes) }).allowed);
        expect(policy({ method, principal: bearer([...tokenScopes, ...additionalScopes]) }).allowed).to.equal(true);
      }),
    );
  });

  it('never allow a token without scopes if they deny one with all scopes', () => {
    fc.assert(
      fc.property(aPolicy, aMethod, (policy, method) => {
        const allScopeNames = ['read', 'write', 'a', 'b', 'a:read', 'a:write', 'b:read', 'b:write'];
        fc.pre(!policy({ method, principal: bearer(allScopeNames) }).allowed);
        expect(policy({ method, principal: bearer([]) }).allowed).to.equal(false);
      }),
    );
  });

  it("ignore the order and repetition of a token's scopes", () => {
    fc.assert(
      fc.property(
        aPolicy,
        aMethod,
        listAndPermutation(someScopes),
        (policy, method, [tokenScopes, reorderedScopes]) => {
          expect(sortVerdict(policy({ method, principal: bearer(reorderedScopes) }))).to.deep.equal(
            sortVerdict(policy({ method, principal: bearer(tokenScopes) })),
          );
        },
      ),
    );
  });

  it('ignore the order and repetition of declared scopes', () => {
    fc.assert(
      fc.property(
        listAndPermutation(atLeastOneScope),
        aMethod,
        aPrincipal,
        ([scopes, reorderedScopes], method, principal) => {
          for (const declare of [
            allScopes,
            resourceScope,
            authenticatedOrScope,
            (list: readonly string[]) => readWrite(SETTINGS, list),
            (list: readonly string[]) => alternativeScopes({ [method]: [list, ['read']] }),
          ]) {
            expect(sortVerdict(declare(reorderedScopes)({ method, principal }))).to.deep.equal(
              sortVerdict(declare(scopes)({ method, principal })),
            );
          }
        },
      ),
    );
  });

  it('ignore the case of a method name', () => {
    fc.assert(
      fc.property(aPolicy, aMethod, aPrincipal, (policy, method, principal) => {
        expect(policy({ method: method.toLowerCase(), principal })).to.deep.equal(policy({ method, principal }));
      }),
    );
  });

  it('list only sufficient alternatives in a denial', () => {
    fc.assert(
      fc.property(aScopePolicy, aMethod, someScopes, (policy, method, tokenScopes) => {
        const verdict = policy({ method, principal: bearer(tokenScopes) });
        if (verdict.allowed || verdict.reason !== 'insufficient-scope') return;
        expect(verdict.alternatives).to.not.have.length(0);
        expect(includesAlternative(verdict.alternatives, tokenScopes)).to.equal(false);
        for (const scope of verdict.alternatives)
          expect(policy({ method, principal: bearer(scope) }).allowed).to.equal(true);
      }),
    );
  });

  it('have requirements that describe exactly the allowed callers', () => {
    fc.assert(
      fc.property(aScopePolicy, aMethod, aPrincipal, (policy, method, principal) => {
        const requirements = policy.requirements(method);
        const isAllowed = requirements.some((requirement) =>
          requirement.credential === 'token'
            ? principal.kind === 'bearer' && includesAlternative([requirement.scope], principal.scope)
            : requirement.credential === principal.kind,
        );
        expect(policy({ method, principal }).allowed).to.equal(isAllowed);
      }),
    );
  });

  it('do not change if the caller later changes its lists', () => {
    const scopes = ['read'];
    const listsByMethod = { GET: [['read']] };
    const policies = [
      allScopes(scopes),
      readWrite(SETTINGS, scopes),
      resourceScope(scopes),
      authenticatedOrScope(scopes),
      alternativeScopes(listsByMethod),
    ];
    const decisionsBefore = policies.map((policy) => policy({ method: 'GET', principal: bearer([]) }));
    scopes.pop();
    listsByMethod.GET.push(['nothing']);
    listsByMethod.GET[0]?.pop();
    expect(policies.map((policy) => policy({ method: 'GET', principal: bearer([]) }))).to.deep.equal(decisionsBefore);
  });
});

describe('the requirements of a policy', () => {
  it('cannot be edited to widen the rule', () => {
    fc.assert(
      fc.property(aPolicy, aMethod, aPrincipal, (policy, method, principal) => {
        const decisionBefore = policy({ method, principal });
        for (const edit of [
          (): unknown =>
            Array.prototype.push.call(
              policy.requirements(method),
              { credential: 'session' },
              { credential: 'token', scope: [] },
            ),
          (): unknown => Object.assign(policy.requirements(method)[0] ?? {}, { scope: [] }),
          (): unknown =>
            policy
              .requirements(method)
              .map((requirement) => requirement.credential === 'token' && Array.prototype.pop.call(requirement.scope)),
          (): unknown => Object.assign(policy, { needsObject: false }),
        ]) {
          try {
            edit();
          } catch (error) {
            expect(error).to.be.instanceOf(TypeError);
          }
        }
        expect(policy({ method, principal })).to.deep.equal(decisionBefore);
      }),
    );
  });
});

describe('all-scopes', () => {
  it('with an empty list allows any valid token, and no caller without one', () => {
    const policy = allScopes([]);
    expect(decide(policy, 'GET', bearer([]))).to.equal('allowed');
    expect(decide(policy, 'GET', anonymous)).to.equal('unauthenticated');
    expect(decide(policy, 'GET', session)).to.equal('unauthenticated');
  });
});

describe('the scopes that a denial names', () => {
  it("are in declared order, without duplicates, with the method's own scope last", () => {
    fc.assert(
      fc.property(someScopes, aMethod, (requiredScopes, method) => {
        const denyWithoutScopes = (policy: Policy): unknown => policy({ method, principal: bearer([]) });
        const insufficientScope = (...scopes: readonly string[]) => ({
          allowed: false,
          reason: 'insufficient-scope',
          alternatives: [[...new Set(scopes)]],
        });
        const methodScope = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? 'read' : 'write';
        expect(denyWithoutScopes(readWrite(SETTINGS, requiredScopes))).to.deep.equal(
          insufficientScope(...requiredScopes, methodScope),
        );
        fc.pre(requiredScopes.length > 0);
        const scopesByMethod = { [method]: requiredScopes };
        for (const policy of [
          allScopes(requiredScopes),
          authenticatedOrScope(requiredScopes),
          authenticatedOrScope(scopesByMethod),
        ]) {
          expect(denyWithoutScopes(policy)).to.deep.equal(insufficientScope(...requiredScopes));
        }
        expect(denyWithoutScopes(resourceScope(requiredScopes))).to.deep.equal(
          insufficientScope(...requiredScopes.map((name) => `${name}:${methodScope}`)),
        );
      }),
    );
  });
});

describe('read-write', () => {
  it('does not let the write scope read', () => {
    expect(decide(readWrite(SETTINGS), 'GET', bearer(['write']))).to.equal('insufficient-scope');
  });
});

describe('resource-scope', () => {
  it('is not satisfied by plain read and write', () => {
    expect(decide(resourceScope(['music']), 'GET', bearer(['read', 'write', 'music']))).to.equal('insufficient-scope');
    expect(decide(resourceScope(['music']), 'GET', bearer(['music:read']))).to.equal('allowed');
    expect(decide(resourceScope(['music']), 'PROPFIND', bearer(['music:read']))).to.equal('insufficient-scope');
  });
});

describe('alternative-scopes', () => {
  it("follows the specification's example", () => {
    const policy = alternativeScopes({ GET: [['read']], POST: [['create'], ['post', 'widget']] });
    expect(decide(policy, 'GET', bearer(['read']))).to.equal('allowed');
    expect(decide(policy, 'HEAD', bearer(['read']))).to.equal('allowed');
    expect(decide(policy, 'POST', bearer(['create']))).to.equal('allowed');
    expect(decide(policy, 'POST', bearer(['post', 'widget']))).to.equal('allowed');
    expect(decide(policy, 'POST', bearer(['post', 'read']))).to.equal('insufficient-scope');
    expect(decide(policy, 'DELETE', bearer(['create', 'read', 'post', 'widget']))).to.equal('forbidden');
    expect(decide(policy, 'CONSTRUCTOR', bearer(['read']))).to.equal('forbidden');
  });

  it('allows exactly the requests that one of its inner lists allows', () => {
    const lists = fc.array(atLeastOneScope, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lists, aMethod, aPrincipal, (alternatives, method, principal) => {
        const isAllowed = alternativeScopes({ [method]: alternatives })({ method, principal }).allowed;
        const listDecisions = alternatives.map(
          (list) => alternativeScopes({ [method]: [list] })({ method, principal }).allowed,
        );
        expect(isAllowed).to.equal(listDecisions.includes(true));
      }),
    );
  });

  it('accepts method names in any case, and treats HEAD separately if it is listed', () => {
    const policy = alternativeScopes({ get: [['read']], Head: [['peek']] });
    expect(decide(policy, 'GET', bearer(['read']))).to.equal('allowed');
    expect(decide(policy, 'HEAD', bearer(['read']))).to.equal('insufficient-scope');
  });

  it('accepts hyphens inside method names, and refuses malformed names', () => {
    const policy = alternativeScopes({ 'BASELINE-CONTROL': [['read']] });
    expect(decide(policy, 'BASELINE-CONTROL', bearer(['read']))).to.equal('allowed');
    for (const method of ['-GET', 'GET-', 'M--SEARCH', 'M-1', 'GET ', '1GET'])
      expect(() => alternativeScopes({ [method]: [['read']] }), method).to.throw(
        PolicyDeclarationError,
        `policy alternative-scopes: required_alternate_scopes has a malformed method name: "${method}"`,
      );
  });
});

describe('a declaration', () => {
  const malformedName = fc.constantFrom<unknown>('', 'a b', 'a"', 'a\\', 'é', '\n', 1, null, undefined, ['a'], {});
  const notAList = fc.constantFrom<unknown>(undefined, null, 'read', 1, true, new Set(['read']), () => ['read']);
  const invalidList = fc.oneof(notAList, fc.constant({}), listWith(malformedName));
  const invalidMap = fc.constantFrom<unknown>(
    undefined,
    null,
    {},
    [],
    'GET',
    new Map([['GET', [['a']]]]),
    { '': [['a']] },
    { 'G T': [['a']] },
    { get: [['a']], GET: [['a']] },
  );
  const invalidLists = fc.oneof(
    notAList,
    fc.constantFrom<unknown>([], [[]], [['a'], []], ['a']),
    listWith(malformedName).map((list) => [list]),
  );
  const declare: Readonly<Record<string, (value: never) => Policy>> = {
    allScopes,
    resourceScope,
    authenticatedOrScope,
    alternativeScopes,
  };

  it('is refused if it is missing or malformed', () => {
    const invalidDeclaration = fc.oneof(
      fc.record({ name: fc.constantFrom('allScopes', 'resourceScope', 'authenticatedOrScope'), value: invalidList }),
      fc.record({ name: fc.constantFrom('resourceScope'), value: fc.constant<unknown>([]) }),
      fc.record({ name: fc.constantFrom('alternativeScopes'), value: invalidMap }),
      fc.record({
        name: fc.constantFrom('alternativeScopes'),
        value: invalidLists.map((lists) => ({ GET: [['a']], POST: lists })),
      }),
      fc.record({
        name: fc.constantFrom('authenticatedOrScope'),
        value: invalidList.map((list) => ({ GET: ['a'], POST: list })),
      }),
    );
    fc.assert(
      fc.property(invalidDeclaration, ({ name, value }) => {
        expect(() => declare[name]?.(unchecked(value))).to.throw(PolicyDeclarationError);
      }),
      { numRuns: 500 },
    );
  });

  it('of read-write needs both settings, and a well-formed list if it has one', () => {
    const invalidSettings = fc.oneof(
      notAList,
      fc.record({ readScope: malformedName, writeScope: fc.constant('write') }),
      fc.record({ readScope: fc.constant('read'), writeScope: malformedName }),
    );
    fc.assert(
      fc.property(invalidSettings, (settings) => {
        expect(() => readWrite(unchecked(settings))).to.throw(PolicyDeclarationError);
      }),
    );
    fc.assert(
      fc.property(
        invalidList.filter((list) => list !== undefined),
        (list) => {
          expect(() => readWrite(SETTINGS, unchecked(list))).to.throw(PolicyDeclarationError);
        },
      ),
    );
  });

  it('with a hole in its list is refused', () => {
    expect(() => allScopes(Array<string>(1))).to.throw(PolicyDeclarationError);
    expect(() => alternativeScopes({ GET: Array<string[]>(1) })).to.throw(PolicyDeclarationError);
  });

  it('is refused with the name of its route', () => {
    expect(() => declareForRoute('GET /music/', () => resourceScope(unchecked(undefined)))).to.throw(
      PolicyDeclarationError,
      'GET /music/: policy resource-scope: required_scopes must be a list of scope names',
    );
    expect(() => declareForRoute('outer', () => declareForRoute('inner', () => allScopes(['a b'])))).to.throw(
      PolicyDeclarationError,
      /^inner: .*"a b"/,
    );
  });

  it('does not add its route to other errors', () => {
    const unrelatedError = new TypeError('other');
    expect(() =>
      declareForRoute('GET /', () => {
        throw unrelatedError;
      }),
    ).to.throw(unrelatedError);
  });
});

/** Generates a list, and a list of the same names in a different order and with repetitions. */
function listAndPermutation(list: fc.Arbitrary<string[]>): fc.Arbitrary<[string[], string[]]> {
  return list.chain((names) =>
    fc.tuple(
      fc.constant(names),
      fc
        .tuple(fc.shuffledSubarray(names, { minLength: names.length }), fc.subarray(names))
        .map(([shuffled, repetitions]) => [...shuffled, ...repetitions]),
    ),
  );
}

function listWith(name: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> {
  return fc
    .tuple(someScopes, name, someScopes)
    .map(([prefix, invalidName, suffix]) => [...prefix, invalidName, ...suffix]);
}
