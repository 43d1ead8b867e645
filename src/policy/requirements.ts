import { isWithin, type Scope } from '../domain/scope.ts';

/** A sufficient credential: a token with all of `scope`, a web session, or none, which allows everybody. */
export type Requirement =
  | { readonly credential: 'token'; readonly scope: Scope }
  | { readonly credential: 'session' }
  | { readonly credential: 'none' };

export const SESSION: Requirement = Object.freeze({ credential: 'session' });

export const NO_CREDENTIAL: Requirement = Object.freeze({ credential: 'none' });

/** Returns the requirement of a token with all of `scope`. */
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
export function either(left: readonly Requirement[], right: readonly Requirement[]): readonly Requirement[] {
  return minimal([...left, ...right]);
}

/**
 * Returns the combinations of a requirement of each side, without those that are stricter than another one. A request
 * can present only one credential, so a token and a session do not combine.
 */
export function both(left: readonly Requirement[], right: readonly Requirement[]): readonly Requirement[] {
  return minimal(left.flatMap((one) => right.flatMap((other) => merge(one, other))));
}

function merge(one: Requirement, other: Requirement): readonly Requirement[] {
  if (one.credential === 'none') return [other];
  if (other.credential === 'none') return [one];
  if (one.credential === 'token' && other.credential === 'token')
    return [tokenRequirement([...one.scope, ...other.scope])];
  return one.credential === other.credential ? [one] : [];
}

function minimal(requirements: readonly Requirement[]): readonly Requirement[] {
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
