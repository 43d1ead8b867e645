import { systemClock, type Clock } from '../../platform/ports.ts';
import type { AuthenticatedPrincipal } from '../policy.ts';
import {
  loginShortfall,
  parseLoginRequirement,
  type LoginOptions,
  type LoginRequirement,
  type LoginShortfall,
} from '../required-login.ts';

/** A login that does not suffice. */
export interface InsufficientLogin {
  readonly required: LoginRequirement;
  readonly shortfall: LoginShortfall;
}

/** Compares the login of a caller with what a route requires (RFC 9470). */
export type LoginCheck = (principal: AuthenticatedPrincipal) => InsufficientLogin | undefined;

/**
 * Undefined if the route requires nothing of the login.
 * @throws PolicyDeclarationError
 */
export function loginCheck(options: LoginOptions, clock: Pick<Clock, 'now'> = systemClock): LoginCheck | undefined {
  const required = parseLoginRequirement(options);
  if (required === undefined) return undefined;
  return (principal) => {
    const shortfall = loginShortfall(required, principal, clock.now() / 1000);
    return shortfall && { required, shortfall };
  };
}
