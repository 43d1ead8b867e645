import { isWithin, type Scope } from '../domain/scope.ts';

/** A sufficient credential: a token with all of `scope`, a web session, or no credential at all. */
export type Requirement =
  | { readonly credential: 'token'; readonly scope: Scope }
  | { readonly credential: 'session' }
  | { readonly credential: 'none' };

export const SESSION: Requirement = Object.freeze({ credential: 'session' });

export const NO_CREDENTIAL: Requirement = Object.freeze({ credential: 'none' });

/** Returns the requirement for a token with all of `scope`. */
export function tokenRequirement(scope: Scope): Requirement {
  return Object.freeze({ credential: 'token', scope: Object.freeze([...new Set(scope)]) });
}

/** Returns the scope lists in `requirements`, without lists that require more than another list. */
export function tokenScopes(requirements: readonly Requirement[]): readonly Scope[] {
  return minimalScopes(
    requirements.flatMap((requirement) => (requirement.credential === 'token' ? [requirement.scope] : [])),
  );
}

/** Returns the requirements of both sides, without those that are stricter than another one. */
export function disjunction(left: readonly Requirement[], right: readonly Requirement[]): readonly Requirement[] {
  return minimize([...left, ...right]);
}

/**
 * Returns the combinations of one requirement from each side, without those that are stricter than another one. A
 * request can present only one credential, so a token and a session do not combine.
 */
export function conjunction(left: readonly Requirement[], right: readonly Requirement[]): readonly Requirement[] {
  return minimize(left.flatMap((first) => right.flatMap((second) => merge(first, second))));
}

function merge(first: Requirement, second: Requirement): readonly Requirement[] {
  if (first.credential === 'none') return [second];
  if (second.credential === 'none') return [first];
  if (first.credential === 'token' && second.credential === 'token')
    return [tokenRequirement([...first.scope, ...second.scope])];
  return first.credential === second.credential ? [first] : [];
}

function minimize(requirements: readonly Requirement[]): readonly Requirement[] {
  if (requirements.some(({ credential }) => credential === 'none')) return [NO_CREDENTIAL];
  const tokens = tokenScopes(requirements).map(tokenRequirement);
  return requirements.some(({ credential }) => credential === 'session') ? [...tokens, SESSION] : tokens;
}

function minimalScopes(scopes: readonly Scope[]): readonly Scope[] {
  return scopes.filter(
    (scope, index) =>
      !scopes.some(
        (other, otherIndex) =>
          // keeps the first of two equal lists
          isWithin(other, scope) && (otherIndex < index || !isWithin(scope, other)),
      ),
  );
}
