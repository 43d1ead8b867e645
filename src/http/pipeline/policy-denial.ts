import { unreachable } from '../../domain/values.ts';
import type { Denial, Principal } from '../../policy/policy.ts';
import type { Requirement } from '../../policy/requirements.ts';
import type { AuthorizationHeader, PolicyDenial, SessionRefusal } from './principal-state.ts';

/** A request that a policy denied. */
export interface DeniedRequest {
  /** The requirements of the policy for this method. */
  readonly requirements: readonly Requirement[];
  readonly principal: Principal;
  readonly authorization?: AuthorizationHeader | undefined;
  readonly sessionRefused?: SessionRefusal | undefined;
  readonly method: string;
}

/**
 * Returns the reason why the caller's web session was refused, or undefined if that is not why the policy denied the
 * request.
 */
export function sessionRefusal({ reason }: Denial, request: DeniedRequest): SessionRefusal | undefined {
  const { requirements, sessionRefused } = request;
  const acceptsSessions = requirements.some(({ credential }) => credential === 'session');
  return reason === 'unauthenticated' && acceptsSessions ? sessionRefused : undefined;
}

/** Returns the reason to record for the denial. */
export function policyDenial(denial: Denial, request: DeniedRequest): PolicyDenial {
  const { requirements, principal, authorization, method } = request;
  switch (denial.reason) {
    case 'unauthenticated': {
      const refusal = sessionRefusal(denial, request);
      if (refusal !== undefined) return { rule: refusal };
      if (authorization === 'invalid-token') return 'invalid-token';
      const seen =
        principal.kind === 'session'
          ? 'a web session'
          : authorization === 'other-scheme'
            ? 'another scheme'
            : 'nothing';
      return {
        rule: 'credentials-missing',
        accepts: [...new Set(requirements.flatMap(({ credential }) => (credential === 'none' ? [] : [credential])))],
        seen,
      };
    }
    case 'insufficient-scope':
      return {
        rule: 'token-lacks-scope',
        alternatives: denial.alternatives,
        held: principal.kind === 'bearer' ? principal.scope : [],
      };
    case 'forbidden':
    case 'undecided':
      return { rule: 'policy-forbids', method };
    default:
      return unreachable(denial);
  }
}
