import type { AuthorizationDetail } from '../domain/authorization-details.ts';
import { PolicyDeclarationError } from './declaration.ts';
import { ALLOWED, FORBIDDEN, UNAUTHENTICATED, type Policy, type PolicyRequest, type Verdict } from './policy.ts';
import { tokenRequirement } from './requirements.ts';

/** Declared as a method, so that a check can declare the members of its type. */
type DetailCheck = {
  allows(detail: AuthorizationDetail, method: string): boolean;
}['allows'];

/**
 * Requires a token with an authorization detail (RFC 9396) of this type that passes `check`. Only `true` passes; other
 * values, such as a promise, do not. For a check that depends on a loaded object, use `objectCheck`, whose predicate
 * also gets the token's details.
 * @throws PolicyDeclarationError if the type is empty, or the check is not a function
 */
export function details(type: string, check: DetailCheck): Policy {
  if (typeof type !== 'string' || type === '')
    throw new PolicyDeclarationError('details', 'the type must be a non-empty string');
  if (typeof check !== 'function') throw new PolicyDeclarationError('details', 'the check must be a function');
  const judge = ({ principal, method }: PolicyRequest): Verdict => {
    if (principal.kind !== 'bearer') return UNAUTHENTICATED;
    const allows = (detail: AuthorizationDetail): boolean => {
      const result: unknown = detail.type === type && check(detail, method.toUpperCase());
      return result === true;
    };
    return principal.details?.some(allows) === true ? ALLOWED : FORBIDDEN; // no scope would help
  };
  const requirements = [tokenRequirement([])];
  return Object.freeze(Object.assign(judge, { requirements: () => [...requirements], needsObject: false }));
}
