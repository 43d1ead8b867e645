import { systemClock, type Clock } from '../../platform/ports.ts';
import type { AuthenticatedPrincipal } from '../policy.ts';
import {
  loginShortfall,
  parseLoginRequirement,
  type LoginOptions,
  type LoginRequirement,
  type LoginShortfall,
} from '../required-login.ts';

/** A requirement that a login does not meet, and the reason. */
export interface InsufficientLogin {
  readonly required: LoginRequirement;
  readonly shortfall: LoginShortfall;
}

/** Checks a caller's login against a route's requirement (RFC 9470). Returns undefined if the login is sufficient. */
export type LoginCheck = (principal: AuthenticatedPrincipal) => InsufficientLogin | undefined;

/**
 * Returns a route's check, or undefined if the route has no login requirement.
 * @throws PolicyDeclarationError if an option is invalid
 */
export function createLoginCheck(
  options: LoginOptions,
  clock: Pick<Clock, 'now'> = systemClock,
): LoginCheck | undefined {
  const requirement = parseLoginRequirement(options);
  if (requirement === undefined) return undefined;
  return (principal) => {
    const shortfall = loginShortfall(requirement, principal, clock.now() / 1000);
    return shortfall && { required: requirement, shortfall };
  };
}
