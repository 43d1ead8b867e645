import { PolicyDeclarationError } from './declaration.ts';
import type { AuthenticatedPrincipal, Policy, PolicyRequest, Verdict } from './policy.ts';
import { ALLOWED, FORBIDDEN, isPolicy, UNAUTHENTICATED, UNDECIDED } from './policy.ts';
import type { Requirement } from './requirements.ts';
import { conjunction, disjunction, NO_CREDENTIAL, SESSION, tokenRequirement, tokenScopes } from './requirements.ts';

/**
 * The verdicts, from the strongest denial to permission. `allOf` returns its lowest verdict and `anyOf` its highest, so
 * order, repetition and nesting do not change the result. All other denials rank below 'undecided', so the object is
 * loaded only if the verdict depends on it.
 */
const VERDICT_ORDER = ['unauthenticated', 'forbidden', 'insufficient-scope', 'undecided', 'allowed'] as const;

const NO_CREDENTIAL_NEEDED: readonly Requirement[] = Object.freeze([NO_CREDENTIAL]);
const ANY_CREDENTIAL: readonly Requirement[] = Object.freeze([tokenRequirement([]), SESSION]);
const NOBODY_ALLOWED: readonly Requirement[] = Object.freeze([]);

/**
 * Allows requests that all of `policies` allow.
 * @throws PolicyDeclarationError if there are no arguments, or if one is not a policy
 */
export function allOf(...policies: readonly Policy[]): Policy {
  return combine('all-of', policies, conjunction, NO_CREDENTIAL_NEEDED, (verdicts, method) => {
    const lowestVerdict = verdicts.reduce((a, b) => (rank(b) < rank(a) ? b : a));
    if (lowestVerdict.allowed || lowestVerdict.reason !== 'insufficient-scope') return lowestVerdict;
    // Lists all required scopes together, including those that the token already has.
    const requirementLists = verdicts.map(
      (verdict, index) => sufficientTokens(verdict) ?? policies[index]?.requirements(method) ?? NOBODY_ALLOWED,
    );
    return insufficientScope(requirementLists.reduce(conjunction));
  });
}

/**
 * Allows requests that at least one of `policies` allows.
 * @throws PolicyDeclarationError if there are no arguments, or if one is not a policy
 */
export function anyOf(...policies: readonly Policy[]): Policy {
  return combine('any-of', policies, disjunction, NOBODY_ALLOWED, (verdicts) => {
    const highestVerdict = verdicts.reduce((a, b) => (rank(b) > rank(a) ? b : a));
    if (highestVerdict.allowed || highestVerdict.reason !== 'insufficient-scope') return highestVerdict;
    return insufficientScope(
      verdicts.map((verdict) => sufficientTokens(verdict) ?? NOBODY_ALLOWED).reduce(disjunction),
    );
  });
}

/**
 * Declared as a method, because the parameters of methods are bivariant: a predicate can declare the type of the object
 * that its route loads.
 */
export type ObjectPredicate = {
  holds(principal: AuthenticatedPrincipal, object: unknown, method: string): boolean;
}['holds'];

/**
 * Allows a request if `predicate` returns `true` for the loaded object; other values, such as a promise, deny it. The
 * predicate is not called for anonymous requests. The verdict is undecided until the object is loaded.
 * @throws PolicyDeclarationError if `predicate` is not a function
 */
export function objectCheck(predicate: ObjectPredicate): Policy {
  if (typeof predicate !== 'function') {
    throw new PolicyDeclarationError('object-check', 'the predicate must be a function');
  }
  const judge = ({ principal, object, method }: PolicyRequest): Verdict => {
    if (principal.kind !== 'bearer' && principal.kind !== 'session') return UNAUTHENTICATED;
    if (object === undefined) return UNDECIDED;
    const result: unknown = predicate(principal, object, method.toUpperCase());
    return result === true ? ALLOWED : FORBIDDEN;
  };
  return Object.freeze(Object.assign(judge, { requirements: () => ANY_CREDENTIAL, needsObject: true }));
}

function combine(
  name: string,
  policies: readonly Policy[],
  join: (left: readonly Requirement[], right: readonly Requirement[]) => readonly Requirement[],
  neutralElement: readonly Requirement[],
  decide: (verdicts: readonly Verdict[], method: string) => Verdict,
): Policy {
  if (policies.length === 0) throw new PolicyDeclarationError(name, 'needs at least one policy');
  if (!policies.every(isPolicy)) throw new PolicyDeclarationError(name, 'every argument must be a policy');
  const judge = (request: PolicyRequest): Verdict =>
    decide(
      policies.map((policy) => policy(request)),
      request.method,
    );
  return Object.freeze(
    Object.assign(judge, {
      requirements: (method: string) =>
        policies.map((policy) => policy.requirements(method)).reduce(join, neutralElement),
      needsObject: policies.some((policy) => policy.needsObject),
    }),
  );
}

function rank(verdict: Verdict): number {
  return VERDICT_ORDER.indexOf(verdict.allowed ? 'allowed' : verdict.reason);
}

function sufficientTokens(verdict: Verdict): readonly Requirement[] | undefined {
  return verdict.allowed || verdict.reason !== 'insufficient-scope'
    ? undefined
    : verdict.alternatives.map(tokenRequirement);
}

function insufficientScope(requirements: readonly Requirement[]): Verdict {
  return { allowed: false, reason: 'insufficient-scope', alternatives: tokenScopes(requirements) };
}
