import type { Scope } from '../domain/scope.ts';
import type { Requirement } from './requirements.ts';

/** Somebody known: through an access token, or through the web session. */
export type AuthenticatedPrincipal =
  | { readonly kind: 'bearer'; readonly clientId: string; readonly userId: string | null; readonly scope: Scope }
  | { readonly kind: 'session'; readonly userId: string };

/** Who is asking, as far as a policy cares. */
export type Principal = { readonly kind: 'anonymous' } | AuthenticatedPrincipal;

/** What is judged. `object` is absent until it was loaded, which happens only for those who pass without it. */
export interface PolicyRequest {
  readonly method: string;
  readonly principal: Principal;
  readonly object?: unknown;
}

export type Denial =
  /** Nobody this policy accepts: 401. */
  | { readonly allowed: false; readonly reason: 'unauthenticated' }
  /** No scope would help: 403. */
  | { readonly allowed: false; readonly reason: 'forbidden' }
  /** A token holding all of any one of `alternatives` would have passed: 403. There is at least one. */
  | { readonly allowed: false; readonly reason: 'insufficient-scope'; readonly alternatives: readonly Scope[] }
  /** It depends on the object. Not allowed, so that whoever forgets to ask again denies. */
  | { readonly allowed: false; readonly reason: 'undecided' };

export type Verdict = { readonly allowed: true } | Denial;

/**
 * A rule about who may do what: pure, synchronous, the same answer for the same request.
 * What it asks for can be read without running it, so that a description of the API cannot drift from the rule.
 */
export interface Policy {
  (request: PolicyRequest): Verdict;
  /** Any one entry is enough, as in OpenAPI's `security`; none: the method is denied to everybody. */
  readonly requirements: (method: string) => readonly Requirement[];
  /** Whether a verdict may need the object; such a policy cannot guard a route that loads none. */
  readonly needsObject: boolean;
}

export const ALLOWED: Verdict = Object.freeze({ allowed: true });
export const UNAUTHENTICATED: Verdict = Object.freeze({ allowed: false, reason: 'unauthenticated' });
export const FORBIDDEN: Verdict = Object.freeze({ allowed: false, reason: 'forbidden' });
export const UNDECIDED: Verdict = Object.freeze({ allowed: false, reason: 'undecided' });

/** For callers whom no compiler checked: a bare function carries no requirements and is not a policy. */
export function isPolicy(value: unknown): value is Policy {
  return (
    typeof value === 'function' &&
    'requirements' in value &&
    typeof value.requirements === 'function' &&
    'needsObject' in value &&
    typeof value.needsObject === 'boolean'
  );
}

/** Whether `value` can be judged at all. A token without a scope list must not pass as one with an empty list. */
export function isPrincipal(value: unknown): value is Principal {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  switch (value.kind) {
    case 'anonymous':
      return true;
    case 'session':
      return 'userId' in value && typeof value.userId === 'string';
    case 'bearer':
      return 'scope' in value && Array.isArray(value.scope);
    default:
      return false;
  }
}
