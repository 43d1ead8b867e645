import type { AuthorizationDetail } from '../domain/authorization-details.ts';
import type { Confirmation } from '../domain/confirmation.ts';
import type { Scope } from '../domain/scope.ts';
import type { Requirement } from './requirements.ts';

/** The known facts about the user's login (RFC 9470 §6). */
export interface PrincipalLogin {
  /** When the user authenticated, in seconds since the epoch. */
  readonly authTime?: number | undefined;
  readonly acr?: string | undefined;
}

/** The sender of an access token. */
export interface BearerPrincipal {
  readonly kind: 'bearer';
  readonly clientId: string;
  readonly userId: string | null;
  readonly scope: Scope;
  readonly login?: PrincipalLogin | undefined;
  /** The token's authorization details (RFC 9396), if any. */
  readonly details?: readonly AuthorizationDetail[] | undefined;
  /** The key or certificate that the token is bound to. The request proved possession of it. */
  readonly confirmation?: Confirmation | undefined;
}

/** An authenticated caller: the bearer of an access token, or the user of a web session. */
export type AuthenticatedPrincipal =
  | BearerPrincipal
  | { readonly kind: 'session'; readonly userId: string; readonly login?: PrincipalLogin | undefined };

/** The facts about the caller that policies need. */
export type Principal = { readonly kind: 'anonymous' } | AuthenticatedPrincipal;

/**
 * The request to decide on. `object` is absent until it is loaded, which happens only if no other policy denies access.
 */
export interface PolicyRequest {
  readonly method: string;
  readonly principal: Principal;
  readonly object?: unknown;
}

export type Denial =
  /** The credentials are missing or of the wrong kind: 401. */
  | { readonly allowed: false; readonly reason: 'unauthenticated' }
  /** No scope would allow the request: 403. */
  | { readonly allowed: false; readonly reason: 'forbidden' }
  /** A token with all scopes of one of `alternatives` would be allowed: 403. There is at least one alternative. */
  | { readonly allowed: false; readonly reason: 'insufficient-scope'; readonly alternatives: readonly Scope[] }
  /** The verdict depends on the object. This is a denial, so a caller that does not decide again fails closed. */
  | { readonly allowed: false; readonly reason: 'undecided' };

export type Verdict = { readonly allowed: true } | Denial;

/**
 * A pure, synchronous function that decides whether a request is allowed. Its requirements can be read without calling
 * it, so that the API description always matches the rule.
 */
export interface Policy {
  (request: PolicyRequest): Verdict;
  /** Each entry is sufficient on its own, as in OpenAPI's `security`. Without entries, the method is forbidden. */
  readonly requirements: (method: string) => readonly Requirement[];
  /** Whether the verdict may depend on the object. Such a policy needs a route that loads the object. */
  readonly needsObject: boolean;
}

export const ALLOWED: Verdict = Object.freeze({ allowed: true });
export const UNAUTHENTICATED: Verdict = Object.freeze({ allowed: false, reason: 'unauthenticated' });
export const FORBIDDEN: Denial = Object.freeze({ allowed: false, reason: 'forbidden' });
export const UNDECIDED: Verdict = Object.freeze({ allowed: false, reason: 'undecided' });

/** Reports whether `value` is a policy, for callers without type checking. A plain function is not a policy. */
export function isPolicy(value: unknown): value is Policy {
  return (
    typeof value === 'function' &&
    'requirements' in value &&
    typeof value.requirements === 'function' &&
    'needsObject' in value &&
    typeof value.needsObject === 'boolean'
  );
}

/** Reports whether `value` is a principal. A token without a scope list must not pass as one with an empty list. */
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

/** Reports whether `value` is a denial. A denial for insufficient scope must list at least one alternative. */
export function isDenial(value: unknown): value is Denial {
  if (typeof value !== 'object' || value === null || !('reason' in value)) return false;
  switch (value.reason) {
    case 'unauthenticated':
    case 'forbidden':
    case 'undecided':
      return true;
    case 'insufficient-scope':
      return 'alternatives' in value && Array.isArray(value.alternatives) && value.alternatives.length > 0;
    default:
      return false;
  }
}
