import type { Denial, Principal } from '../policy/policy.ts';
import type { Requirement } from '../policy/requirements.ts';
import type { Refusal } from '../refusals/refusal.ts';
import type { AuthorizationHeader } from './principal-state.ts';

/** Why a policy said no; of a dead token it does not know what became of it. */
export type PolicyDenial = Refusal | 'dead-token';

/** The reason for the answer that the caller gets. */
export function policyDenial(
  denial: Denial, { requirements, principal, authorization, method }: {
    readonly requirements: readonly Requirement[];
    readonly principal: Principal;
    readonly authorization: AuthorizationHeader | undefined;
    readonly method: string;
  },
): PolicyDenial {
  switch (denial.reason) {
    case 'unauthenticated': {
      if (authorization === 'dead-token') return 'dead-token';
      const seen = principal.kind === 'session' ? 'a web session' : authorization === 'other-scheme' ? 'another scheme' : 'nothing';
      return { rule: 'credentials-missing', accepts: [...new Set(requirements.flatMap(({ credential }) => (credential === 'none' ? [] : [credential])))], seen };
    }
    case 'insufficient-scope':
      return { rule: 'token-lacks-scope', alternatives: denial.alternatives, held: principal.kind === 'bearer' ? principal.scope : [] };
    case 'forbidden': case 'undecided': default: return { rule: 'policy-forbids', method };
  }
}
