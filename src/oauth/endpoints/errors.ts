import type { Refusal } from '../refusals/refusal.ts';

/** The codes of RFC 6749 §4.1.2.1 and §5.2 (and RFC 7009, RFC 8707 §2, OpenID Connect Core §3.1.2.6) that Grantlog answers. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'temporarily_unavailable'
  | 'access_denied'
  | 'login_required'
  | 'consent_required';

/**
 * A refusal in the protocol's own words. Its text leaves the process: nothing secret, nothing that helps to guess.
 * Why it is one stays here, for the owner of the application and the operator.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly refusal: Refusal;
  /** 401 for a client that failed to authenticate, 400 for the rest; a reader of bodies may know better (413, 415), and so may a limit (429). */
  readonly status: number;

  constructor(
    code: OAuthErrorCode,
    description: string,
    refusal: Refusal,
    status = code === 'invalid_client' ? 401 : 400,
  ) {
    super(description);
    this.code = code;
    this.refusal = refusal;
    this.status = status;
  }
}
