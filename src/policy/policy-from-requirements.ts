import { isWithin } from '../domain/scope.ts';
import {
  ALLOWED,
  FORBIDDEN,
  UNAUTHENTICATED,
  type Policy,
  type PolicyRequest,
  type Principal,
  type Verdict,
} from './policy.ts';
import { tokenScopes, type Requirement } from './requirements.ts';

/** Returns a policy that is defined by its requirements alone. `rule` receives the method name in upper case. */
export function policyFromRequirements(rule: (method: string) => readonly Requirement[]): Policy {
  const judge = ({ method, principal }: PolicyRequest): Verdict => {
    const requirements = rule(method.toUpperCase());
    if (requirements.some((requirement) => isMetBy(requirement, principal))) return ALLOWED;
    if (principal.kind !== 'bearer') return UNAUTHENTICATED;
    const alternatives = tokenScopes(requirements);
    return alternatives.length === 0 ? FORBIDDEN : { allowed: false, reason: 'insufficient-scope', alternatives };
  };
  return Object.freeze(
    Object.assign(judge, {
      // Returns a copy, so that callers cannot change the rule.
      requirements: (method: string) => [...rule(method.toUpperCase())],
      needsObject: false,
    }),
  );
}

function isMetBy(requirement: Requirement, principal: Principal): boolean {
  switch (requirement.credential) {
    case 'none':
      return true;
    case 'session':
      return principal.kind === 'session';
    case 'token':
      return principal.kind === 'bearer' && isWithin(requirement.scope, principal.scope);
  }
}
