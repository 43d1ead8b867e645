import type { AuthenticationSettings } from './client-authentication.ts';
import { FAPI2_ALGORITHMS, type SecurityProfile, type SecuritySettings } from './security-settings.ts';
import { SIGNING_ALGORITHMS, type ClientType, type SigningAlgorithm } from './values.ts';

/** The origin of a requirement: the client's profile, the client's registration, or a server setting. */
export type RequiredBy = 'profile' | 'client' | 'server';

/** The part of a client registration that the requirements depend on. */
export interface ClientSecurityInput {
  readonly clientType: ClientType;
  readonly authentication: Pick<AuthenticationSettings, 'methods'>;
  readonly security: SecuritySettings;
}

/** The server settings that impose requirements on all clients. */
export interface ServerSecurity {
  readonly requireDpop?: boolean;
  readonly requirePar?: boolean;
}

/** The requirements for a client. Null means that there is no such requirement. */
export interface EffectiveSecurity {
  readonly profile: SecurityProfile | null;
  /** Every token request needs a DPoP proof (RFC 9449 §5.2). */
  readonly dpop: RequiredBy | null;
  /** Every token request needs a client certificate, and the tokens are bound to it (RFC 8705 §3). */
  readonly tls: RequiredBy | null;
  /** Every authorization request must be pushed (RFC 9126 §6). */
  readonly pushedRequest: RequiredBy | null;
  /** Every authorization request must be signed (RFC 9101 §10.5). */
  readonly signedRequest: RequiredBy | null;
  /**
   * Every authorization request must use the PKCE challenge method S256, even if the server settings allow other
   * methods.
   */
  readonly s256: RequiredBy | null;
  /**
   * Whether refresh tokens are rotated. They are not if all of the client's access tokens are sender-constrained,
   * because a stolen refresh token is then useless without the key or certificate (FAPI 2.0 Security Profile
   * §5.3.2.1).
   */
  readonly rotatesRefreshTokens: boolean;
  /** The algorithms that are accepted in the client's signatures and used in signatures for the client. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** The maximum lifetime of an authorization code; `Infinity` if the client has no profile. */
  readonly maxCodeLifetimeSeconds: number;
  /** Whether a redirect URI may use http, or any port, on the loopback interface (RFC 8252 §7.3). */
  readonly allowsLoopbackRedirects: boolean;
}

/** The maximum lifetime of an authorization code (FAPI 2.0 Security Profile §5.3.2.1). */
const FAPI2_MAX_CODE_LIFETIME_SECONDS = 60;

/** The authentication methods that use a certificate. Tokens can be bound to it. */
const TLS_METHODS: readonly string[] = ['tls_client_auth', 'self_signed_tls_client_auth'];

/**
 * Combines the settings of the client, the server and the client's profile. All code that enforces a requirement must
 * use this function.
 */
export function effectiveSecurity(client: ClientSecurityInput, server: ServerSecurity): EffectiveSecurity {
  const { security } = client;
  const { profile } = security;
  const requiredByProfile = profile === null ? null : 'profile';
  const bindsTokensToCertificate =
    security.tlsBoundAccessTokens || (profile !== null && bindsToCertificateByDefault(client));
  const dpop = bindsTokensToCertificate
    ? null
    : (requiredByProfile ?? (security.dpopBoundAccessTokens ? 'client' : server.requireDpop ? 'server' : null));
  return {
    profile,
    dpop,
    tls: bindsTokensToCertificate ? (requiredByProfile ?? 'client') : null,
    pushedRequest:
      requiredByProfile ??
      (security.requirePushedAuthorizationRequests ? 'client' : server.requirePar ? 'server' : null),
    signedRequest: security.requireSignedRequestObject ? 'client' : null,
    s256: requiredByProfile,
    rotatesRefreshTokens: dpop === null && !bindsTokensToCertificate,
    algorithms: profile === null ? SIGNING_ALGORITHMS : FAPI2_ALGORITHMS,
    maxCodeLifetimeSeconds: profile === null ? Infinity : FAPI2_MAX_CODE_LIFETIME_SECONDS,
    allowsLoopbackRedirects: profile === null,
  };
}

/**
 * Reports whether a client with a profile binds its tokens to its certificate. It does so if it authenticates only with
 * certificates, unless it chose DPoP.
 */
function bindsToCertificateByDefault({ authentication, security }: ClientSecurityInput): boolean {
  return !security.dpopBoundAccessTokens && authentication.methods.every((method) => TLS_METHODS.includes(method));
}
