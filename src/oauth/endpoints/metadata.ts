import { CLIENT_AUTHENTICATION_METHODS } from '../clients/client-authentication.ts';
import { RESPONSE_MODES } from './authorization-request.ts';

/** RFC 7517 §5: the public keys of signed tokens. */
export const JWKS_PATH = '/.well-known/jwks.json';

export type ServerMetadata = ReturnType<typeof authorizationServerMetadata>;

/** The metadata of this server (RFC 8414), with its resource servers (RFC 9728 §4). */
export function authorizationServerMetadata(
  issuer: string,
  grantTypes: readonly string[],
  resources: readonly string[],
  settings: { readonly scopes: Readonly<Record<string, string>>; readonly pkceMethods: readonly string[] },
) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/o/authorize/`,
    token_endpoint: `${issuer}/o/token/`,
    jwks_uri: `${issuer}${JWKS_PATH}`,
    revocation_endpoint: `${issuer}/o/revoke_token/`,
    introspection_endpoint: `${issuer}/o/introspect/`,
    protected_resources: resources,
    scopes_supported: Object.keys(settings.scopes),
    response_types_supported: ['code'],
    response_modes_supported: RESPONSE_MODES,
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION_METHODS, 'none'],
    revocation_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION_METHODS, 'none'],
    // RFC 8414 §2 also allows types of access tokens.
    introspection_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION_METHODS, 'Bearer'],
    code_challenge_methods_supported: settings.pkceMethods,
    authorization_response_iss_parameter_supported: true,
  };
}
