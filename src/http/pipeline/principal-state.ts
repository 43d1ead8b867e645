import type { Refusal } from '../../oauth/refusals/refusal.ts';
import type { Principal } from '../../policy/policy.ts';

/** The result of reading the `Authorization` header. A web session counts only if the header is absent. */
export type AuthorizationHeader =
  | 'absent'
  /** A scheme that this API does not accept; the caller is anonymous. */
  | 'other-scheme'
  | 'valid-token'
  /** Malformed, unknown, expired or revoked. The caller is not told which. */
  | 'invalid-token';

/** Why the CSRF token of a web session is not valid. */
export type SessionRefusal = 'csrf-token-missing' | 'csrf-token-wrong';

/** Why a policy denied a request. Why a token is invalid is found out only when it is recorded. */
export type PolicyDenial = Refusal | 'invalid-token';

/** The members of `ctx.state` that identify the caller, for the policy. */
export interface PrincipalState {
  principal: Principal;
  authorization: AuthorizationHeader;
  /** Why a live web session is not the principal of a request with an unsafe method. */
  sessionRefused?: SessionRefusal;
  /** The URL of the API's metadata (RFC 9728), for challenges. */
  resourceMetadata?: string;
  /** Records why a policy denied the request. */
  recordDenial?: (denial: PolicyDenial) => Promise<void>;
}
