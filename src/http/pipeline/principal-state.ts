import type { Principal } from '../../policy/policy.ts';
import type { PolicyDenial } from './policy-denial.ts';

/** What the `Authorization` header amounted to. Only where it was absent may a web session say who is asking. */
export type AuthorizationHeader =
  | 'absent'
  /** A scheme that this API does not take; the caller stays anonymous. */
  | 'other-scheme'
  | 'live-token'
  /** Malformed, unknown, expired or revoked: nobody is told which. */
  | 'dead-token';

/** What is wrong with the CSRF token of a web session. */
export type SessionRefusal = 'csrf-token-missing' | 'csrf-token-wrong';

/** What the middleware that finds out who is asking leaves on `ctx.state` for the one that judges. */
export interface PrincipalState {
  principal: Principal;
  authorization: AuthorizationHeader;
  /** Why a live web session is not the principal, although the method changes something. */
  sessionRefused?: SessionRefusal;
  /** Where the API's metadata are (RFC 9728), for the challenge to whoever has no live token. */
  resourceMetadata?: string;
  /** Takes why a policy said no. */
  recordDenial?: (denial: PolicyDenial) => Promise<void>;
}
