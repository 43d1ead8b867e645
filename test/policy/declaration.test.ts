import { expect } from 'chai';
import * as fc from 'fast-check';
import { allOf, anyOf, objectCheck } from '../../src/policy/combinators.ts';
import { describeValue, PolicyDeclarationError } from '../../src/policy/declaration.ts';
import {
  allScopes,
  alternativeScopes,
  authenticatedOrScope,
  readWrite,
  resourceScope,
} from '../../src/policy/policies.ts';
import { SETTINGS } from '../support/policy-arbitraries.ts';
import { unchecked } from '../support/unchecked.ts';

/** Invalid declarations, keyed by the policy and the argument that the error must name. */
const INVALID_DECLARATIONS: Readonly<Record<string, Readonly<Record<string, readonly (() => unknown)[]>>>> = {
  'all-scopes': {
    required_scopes: [() => allScopes(unchecked('read')), () => allScopes(['a b'])],
  },
  'read-write': {
    required_scopes: [() => readWrite(SETTINGS, unchecked('read')), () => readWrite(SETTINGS, ['a b'])],
    READ_SCOPE: [
      () => readWrite(unchecked({ writeScope: 'write' })),
      () => readWrite({ readScope: 'a b', writeScope: 'write' }),
    ],
    WRITE_SCOPE: [
      () => readWrite(unchecked({ readScope: 'read' })),
      () => readWrite({ readScope: 'read', writeScope: '' }),
    ],
  },
  'resource-scope': {
    required_scopes: [() => resourceScope([]), () => resourceScope(['']), () => resourceScope(unchecked('music'))],
  },
  'authenticated-or-scope': {
    required_scopes: [
      () => authenticatedOrScope(['']),
      () => authenticatedOrScope({}),
      () => authenticatedOrScope(unchecked(undefined)),
    ],
    'required_scopes.POST': [
      () => authenticatedOrScope(unchecked({ post: 'read' })),
      () => authenticatedOrScope({ POST: ['a b'] }),
    ],
  },
  'alternative-scopes': {
    required_alternate_scopes: [
      () => alternativeScopes({}),
      () => alternativeScopes(unchecked([['a']])),
      () => alternativeScopes({ get: [['a']], GET: [['a']] }),
    ],
    'required_alternate_scopes.POST': [
      () => alternativeScopes(unchecked({ POST: 'a' })),
      () => alternativeScopes({ POST: [] }),
      () => alternativeScopes({ GET: [['a']], post: [[]] }),
      () => alternativeScopes({ POST: [['a'], ['a b']] }),
    ],
  },
};

function catchDeclarationError(declare: () => unknown): PolicyDeclarationError {
  try {
    declare();
  } catch (error) {
    if (error instanceof PolicyDeclarationError) return error;
    throw error;
  }
  throw new Error('the declaration was not refused');
}

describe('the error for an invalid declaration', () => {
  for (const [policy, declarationsByArgument] of Object.entries(INVALID_DECLARATIONS)) {
    it(`names the policy, the argument and the problem: ${policy}`, () => {
      for (const [argument, declarations] of Object.entries(declarationsByArgument)) {
        for (const declare of declarations) {
          const error = catchDeclarationError(declare);
          expect(error, declare.toString()).to.include({ name: 'PolicyDeclarationError', policy, route: undefined });
          expect(error.problem.startsWith(`${argument} `), error.problem).to.equal(true);
        }
      }
    });
  }

  it('names the combinator, and the problem with its arguments', () => {
    for (const [policy, declare] of [
      ['all-of', () => allOf()],
      ['all-of', () => allOf(unchecked('policy'))],
      ['any-of', () => anyOf()],
      ['any-of', () => anyOf(unchecked('policy'))],
      ['object-check', () => objectCheck(unchecked(true))],
    ] as const) {
      const error = catchDeclarationError(declare);
      expect(error, declare.toString()).to.include({ policy, route: undefined });
      expect(error.problem).to.not.equal('');
    }
  });

  it('names the route first, if it is known', () => {
    expect(new PolicyDeclarationError('all-of', 'problem').message).to.equal('policy all-of: problem');
    expect(new PolicyDeclarationError('all-of', 'problem', 'GET /').message).to.equal('GET /: policy all-of: problem');
  });

  it('quotes a string, and names only the type of any other value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(JSON.parse(describeValue(text))).to.equal(text);
      }),
    );
    for (const [value, type] of [
      [null, 'null'],
      [undefined, 'undefined'],
      [7, 'number'],
      [['a secret'], 'object'],
      [{ a: 'secret' }, 'object'],
      [() => 'a secret', 'function'],
    ] as const)
      expect(describeValue(value)).to.equal(`a value of type ${type}`);
  });
});
