import type { ProtocolRefusal } from '../../oauth/refusals/refusal-messages.ts';
import type { Refusal } from '../../oauth/refusals/refusal.ts';
import type { Principal } from '../../policy/policy.ts';

/** The result of reading the `Authorization` header. A web session is accepted only if the header is absent. */
export type AuthorizationHeader =
  | 'absent'
  /** A scheme that this API does not accept; the caller is anonymous. */
  | 'other-scheme'
  | 'valid-token'
  /**
   * The token is malformed, unknown, expired, revoked or restricted to other resource servers (the response does not
   * say which), or its sender was refused: see `senderRefused`.
   */
  | 'invalid-token';

/** The problem with the CSRF token in a request from a web session. */
export type SessionRefusal = 'csrf-token-missing' | 'csrf-token-wrong';

/**
 * The reason why a policy denied a request. For an invalid token, the exact reason is determined only when the denial
 * is recorded.
 */
export type PolicyDenial = Refusal | 'invalid-token';

/** The scheme of an `Authorization` header with an access token (RFC 6750 §2.1, RFC 9449 §7.1). */
export type TokenScheme = 'Bearer' | 'DPoP';

/** The reason why the sender of a live token must not use it, with the error for the response. */
export interface SenderRefusal {
  readonly scheme: TokenScheme;
  readonly error: string;
  readonly description: string;
  readonly refusal: ProtocolRefusal;
  /** The client that the token was issued to. */
  readonly clientId: string;
}

/** The members of `ctx.state` that policies and the responses to denied requests need. */
export interface PrincipalState {
  principal: Principal;
  authorization: AuthorizationHeader;
  /** The scheme of a token that is not valid; `Bearer` by default. */
  scheme?: TokenScheme;
  /** The reason why the sender of a live token is not the principal. */
  senderRefused?: SenderRefusal | undefined;
  /** Whether the API accepts DPoP proofs. If it does, challenges also offer the scheme `DPoP`. */
  acceptsProofs?: boolean;
  /** The reason why the user of a live web session is not the principal of a request with an unsafe method. */
  sessionRefused?: SessionRefusal;
  /** The URL of the API's metadata (RFC 9728), which challenges contain. */
  resourceMetadata?: string;
  /** Records the reason why a policy denied the request. */
  recordDenial?: (denial: PolicyDenial) => Promise<void>;
}
