import { PolicyDeclarationError } from './declaration.ts';
import type { AuthenticatedPrincipal, Policy, PolicyRequest, Verdict } from './policy.ts';
import { ALLOWED, FORBIDDEN, isPolicy, UNAUTHENTICATED, UNDECIDED } from './policy.ts';
import type { Requirement } from './requirements.ts';
import { both, either, NO_CREDENTIAL, SESSION, tokenRequirement, tokenScopes } from './requirements.ts';

/**
 * From the firmest no to yes. `allOf` takes the lowest of its verdicts and `anyOf` the highest, so both obey the laws
 * of a lattice: neither order, nor repetition, nor nesting changes an answer. A definite no stands below 'undecided',
 * hence the object is loaded only for those whose answer depends on it.
 */
const VERDICT_ORDER = ['unauthenticated', 'forbidden', 'insufficient-scope', 'undecided', 'allowed'] as const;

const NO_CREDENTIAL_NEEDED: readonly Requirement[] = Object.freeze([NO_CREDENTIAL]);
const ANY_CREDENTIAL: readonly Requirement[] = Object.freeze([tokenRequirement([]), SESSION]);
const NO_WAY_IN: readonly Requirement[] = Object.freeze([]);

/**
 * What every one of `policies` allows.
 * @throws PolicyDeclarationError
 */
export function allOf(...policies: readonly Policy[]): Policy {
  return combine('all-of', policies, both, NO_CREDENTIAL_NEEDED, (verdicts, method) => {
    const lowest = verdicts.reduce((one, other) => (rank(other) < rank(one) ? other : one));
    if (lowest.allowed || lowest.reason !== 'insufficient-scope') return lowest;
    // The client is told all it needs at once: also the scopes of those parts that its token satisfies today.
    const parts = verdicts.map(
      (verdict, at) => missingScopes(verdict) ?? policies[at]?.requirements(method) ?? NO_WAY_IN,
    );
    return insufficientScope(parts.reduce(both));
  });
}

/**
 * What at least one of `policies` allows.
 * @throws PolicyDeclarationError
 */
export function anyOf(...policies: readonly Policy[]): Policy {
  return combine('any-of', policies, either, NO_WAY_IN, (verdicts) => {
    const highest = verdicts.reduce((one, other) => (rank(other) > rank(one) ? other : one));
    if (highest.allowed || highest.reason !== 'insufficient-scope') return highest;
    return insufficientScope(verdicts.map((verdict) => missingScopes(verdict) ?? NO_WAY_IN).reduce(either));
  });
}

/** Written as a method so that a predicate may name the type of the object that its route loads. */
export type ObjectPredicate = {
  holds(principal: AuthenticatedPrincipal, object: unknown, method: string): boolean;
}['holds'];

/**
 * What `predicate` says of the loaded object; nothing but `true` allows (a promise does not), and it is never asked
 * about an anonymous caller. Undecided until the object is there.
 * @throws PolicyDeclarationError
 */
export function objectCheck(predicate: ObjectPredicate): Policy {
  if (typeof predicate !== 'function') {
    throw new PolicyDeclarationError('object-check', 'the predicate must be a function');
  }
  const judge = ({ principal, object, method }: PolicyRequest): Verdict => {
    if (principal.kind !== 'bearer' && principal.kind !== 'session') return UNAUTHENTICATED;
    if (object === undefined) return UNDECIDED;
    const answer: unknown = predicate(principal, object, method.toUpperCase());
    return answer === true ? ALLOWED : FORBIDDEN;
  };
  return Object.freeze(Object.assign(judge, { requirements: () => ANY_CREDENTIAL, needsObject: true }));
}

function combine(
  name: string,
  policies: readonly Policy[],
  join: (left: readonly Requirement[], right: readonly Requirement[]) => readonly Requirement[],
  neutral: readonly Requirement[],
  decide: (verdicts: readonly Verdict[], method: string) => Verdict,
): Policy {
  if (policies.length === 0) throw new PolicyDeclarationError(name, 'needs at least one policy');
  if (!policies.every(isPolicy)) throw new PolicyDeclarationError(name, 'was given something that is not a policy');
  const judge = (request: PolicyRequest): Verdict =>
    decide(
      policies.map((policy) => policy(request)),
      request.method,
    );
  return Object.freeze(
    Object.assign(judge, {
      requirements: (method: string) => policies.map((policy) => policy.requirements(method)).reduce(join, neutral),
      needsObject: policies.some((policy) => policy.needsObject),
    }),
  );
}

function rank(verdict: Verdict): number {
  return VERDICT_ORDER.indexOf(verdict.allowed ? 'allowed' : verdict.reason);
}

function missingScopes(verdict: Verdict): readonly Requirement[] | undefined {
  return verdict.allowed || verdict.reason !== 'insufficient-scope'
    ? undefined
    : verdict.alternatives.map(tokenRequirement);
}

function insufficientScope(ways: readonly Requirement[]): Verdict {
  return { allowed: false, reason: 'insufficient-scope', alternatives: tokenScopes(ways) };
}
