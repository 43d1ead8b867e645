import type { SigningAlgorithm } from './values.ts';

/** Sets of additional rules for clients. `fapi2` is the FAPI 2.0 Security Profile. */
export const SECURITY_PROFILES = ['fapi2'] as const;
export type SecurityProfile = (typeof SECURITY_PROFILES)[number];

/** The signing algorithms that FAPI 2.0 allows (FAPI 2.0 Security Profile §5.4.1). */
export const FAPI2_ALGORITHMS: readonly SigningAlgorithm[] = ['PS256', 'ES256', 'EdDSA'];

/** How a client's tokens and messages are protected, beyond RFC 6749. */
export interface SecuritySettings {
  /** Turns on everything that the profile requires; null if there is no profile. */
  readonly profile: SecurityProfile | null;
  /** Whether every token request needs a DPoP proof (RFC 9449 §5.2). */
  readonly dpopBoundAccessTokens: boolean;
  /** Whether access tokens are bound to the client's certificate (RFC 8705 §3.4). */
  readonly tlsBoundAccessTokens: boolean;
  /** Whether every authorization request must be pushed (RFC 9126 §6). */
  readonly requirePushedAuthorizationRequests: boolean;
  /** Whether every authorization request must be signed (RFC 9101 §10.5). */
  readonly requireSignedRequestObject: boolean;
  /**
   * The only signing algorithm accepted for the client's request objects; null if any algorithm that fits its keys is
   * accepted.
   */
  readonly requestObjectAlgorithm: SigningAlgorithm | null;
  /** The URLs that the client's request objects can be fetched from (RFC 9101 §5.2). */
  readonly requestUris: readonly string[];
  /** The signing algorithm of authorization responses that are requested as JWTs (JARM §3). */
  readonly authorizationResponseAlgorithm: SigningAlgorithm;
  /** The signing algorithm of introspection responses that are requested as JWTs (RFC 9701 §6). */
  readonly introspectionAlgorithm: SigningAlgorithm;
}

/** The JSON form of the settings, with the names in the RFCs. */
export interface SecurityJson {
  readonly profile: SecurityProfile | null;
  readonly dpop_bound_access_tokens: boolean;
  readonly tls_client_certificate_bound_access_tokens: boolean;
  readonly require_pushed_authorization_requests: boolean;
  readonly require_signed_request_object: boolean;
  readonly request_object_signing_alg: SigningAlgorithm | null;
  readonly request_uris: readonly string[];
  readonly authorization_signed_response_alg: SigningAlgorithm;
  readonly introspection_signed_response_alg: SigningAlgorithm;
}

/** Converts the settings to their JSON form. */
export function securityJson(security: SecuritySettings): SecurityJson {
  return {
    profile: security.profile,
    dpop_bound_access_tokens: security.dpopBoundAccessTokens,
    tls_client_certificate_bound_access_tokens: security.tlsBoundAccessTokens,
    require_pushed_authorization_requests: security.requirePushedAuthorizationRequests,
    require_signed_request_object: security.requireSignedRequestObject,
    request_object_signing_alg: security.requestObjectAlgorithm,
    request_uris: security.requestUris,
    authorization_signed_response_alg: security.authorizationResponseAlgorithm,
    introspection_signed_response_alg: security.introspectionAlgorithm,
  };
}

/** The settings of a new client, unless its registration overrides them. */
export const DEFAULT_SECURITY: SecuritySettings = {
  profile: null,
  dpopBoundAccessTokens: false,
  tlsBoundAccessTokens: false,
  requirePushedAuthorizationRequests: false,
  requireSignedRequestObject: false,
  requestObjectAlgorithm: null,
  requestUris: [],
  authorizationResponseAlgorithm: 'RS256',
  introspectionAlgorithm: 'RS256',
};
