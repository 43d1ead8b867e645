import * as fc from 'fast-check';
import { isWithin } from '../../src/domain/scope.ts';
import { unreachable } from '../../src/domain/values.ts';
import { allOf, anyOf, objectCheck } from '../../src/policy/combinators.ts';
import {
  allScopes,
  alternativeScopes,
  authenticatedOrScope,
  readWrite,
  resourceScope,
} from '../../src/policy/policies.ts';
import type { Policy, Principal, Verdict } from '../../src/policy/policy.ts';

/** A policy declared as data. The tests derive both the policy and the oracle's result from it. */
export type Declaration =
  | { readonly kind: 'all-scopes'; readonly required: readonly string[] }
  | { readonly kind: 'read-write'; readonly required: readonly string[] | undefined }
  | { readonly kind: 'resource-scope'; readonly resources: readonly string[] }
  | {
      readonly kind: 'authenticated-or-scope';
      readonly required: readonly string[] | Readonly<Record<string, string[]>>;
    }
  | { readonly kind: 'alternative-scopes'; readonly alternatives: Readonly<Record<string, string[][]>> };

export const SETTINGS = { readScope: 'read', writeScope: 'write' } as const;

/** Only a few names, so that granted and required scopes often overlap. */
const aScopeName = fc.constantFrom('read', 'write', 'a', 'b', 'a:read', 'a:write', 'b:read', 'b:write');
export const someScopes = fc.array(aScopeName, { maxLength: 6 });
export const atLeastOneScope = fc.array(aScopeName, { minLength: 1, maxLength: 4 });
export const aMethod = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE');

const someResources = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 });

function byMethod<T>(entry: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.dictionary(aMethod, entry, { minKeys: 1, maxKeys: 4, noNullPrototype: true });
}

export const aDeclaration: fc.Arbitrary<Declaration> = fc.oneof(
  fc.record({ kind: fc.constant('all-scopes'), required: someScopes }),
  fc.record({ kind: fc.constant('read-write'), required: fc.option(someScopes, { nil: undefined }) }),
  fc.record({ kind: fc.constant('resource-scope'), resources: someResources }),
  fc.record({ kind: fc.constant('authenticated-or-scope'), required: fc.oneof(someScopes, byMethod(someScopes)) }),
  fc.record({
    kind: fc.constant('alternative-scopes'),
    alternatives: byMethod(fc.array(atLeastOneScope, { minLength: 1, maxLength: 3 })),
  }),
);

export function createPolicy(declaration: Declaration): Policy {
  switch (declaration.kind) {
    case 'all-scopes':
      return allScopes(declaration.required);
    case 'read-write':
      return readWrite(SETTINGS, declaration.required);
    case 'resource-scope':
      return resourceScope(declaration.resources);
    case 'authenticated-or-scope':
      return authenticatedOrScope(declaration.required);
    case 'alternative-scopes':
      return alternativeScopes(declaration.alternatives);
    default:
      return unreachable(declaration);
  }
}

export function bearer(scope: readonly string[]): Principal {
  return { kind: 'bearer', clientId: 'client', userId: 'alice', scope };
}

export const session: Principal = { kind: 'session', userId: 'alice' };
export const anonymous: Principal = { kind: 'anonymous' };

export const aPrincipal: fc.Arbitrary<Principal> = fc.oneof(
  { weight: 6, arbitrary: someScopes.map(bearer) },
  { weight: 2, arbitrary: fc.constant(session) },
  { weight: 1, arbitrary: fc.constant(anonymous) },
);

/** No object, Alice's, or a different user's. */
export const anObject = fc.constantFrom(undefined, { owner: 'alice' }, { owner: 'bob' });

const ownerOnly = objectCheck(({ userId }, object: { owner: string }) => object.owner === userId);

/** Any of the five scope policies. */
export const aScopePolicy = aDeclaration.map(createPolicy);

/** Any policy: a scope policy, an object check, or a combination. */
export const aPolicy: fc.Arbitrary<Policy> = fc.letrec<{ policy: Policy; several: Policy[] }>((tie) => ({
  policy: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    aScopePolicy,
    fc.constant(ownerOnly),
    tie('several').map((policies) => allOf(...policies)),
    tie('several').map((policies) => anyOf(...policies)),
  ),
  several: fc.array(tie('policy'), { minLength: 1, maxLength: 3 }),
})).policy;

export type Outcome = 'allowed' | 'undecided' | 'denied';

export function outcomeOf(verdict: Verdict): Outcome {
  if (verdict.allowed) return 'allowed';
  return verdict.reason === 'undecided' ? 'undecided' : 'denied';
}

/** Sorts the alternatives and scopes of a verdict, because their order does not matter. */
export function sortVerdict(verdict: Verdict): unknown {
  if (verdict.allowed || verdict.reason !== 'insufficient-scope') return verdict;
  return { ...verdict, alternatives: verdict.alternatives.map((scope) => scope.toSorted().join(' ')).toSorted() };
}

/** Reports whether `granted` includes one of the alternatives of a denial. */
export function includesAlternative(alternatives: readonly (readonly string[])[], granted: readonly string[]): boolean {
  return alternatives.some((alternative) => isWithin(alternative, granted));
}
