import type { ClientAuthenticationMethod } from '../../domain/client-authentication.ts';
import { isRestricted } from '../../domain/scope.ts';
import { MANAGEMENT_ACTIONS, SIGNING_ALGORITHMS } from '../../domain/values.ts';
import { PROOF_ALGORITHMS } from '../dpop/proof-key.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { RESPONSE_MODES } from './response-modes.ts';

/** The path of the key set (RFC 7517 §5) used to verify tokens. */
export const JWKS_PATH = '/.well-known/jwks.json';

export type ServerMetadata = ReturnType<typeof authorizationServerMetadata>;

export interface MetadataSettings {
  readonly pkceMethods: readonly string[];
  readonly requirePar: boolean;
  readonly clientDocuments: 'off' | 'list' | 'any';
  readonly dynamicRegistration: 'off' | 'token' | 'open';
  readonly brandLinks: { readonly privacy?: string; readonly terms?: string };
}

/** Returns the metadata of this server (RFC 8414), with its resource servers (RFC 9728 §4). */
export function authorizationServerMetadata(
  issuer: string,
  grantTypes: readonly string[],
  resources: Pick<KnownResources, 'uris' | 'scopes' | 'detailTypes'>,
  methods: readonly ClientAuthenticationMethod[],
  settings: MetadataSettings,
) {
  const { brandLinks } = settings;
  return {
    issuer,
    authorization_endpoint: `${issuer}/o/authorize/`,
    token_endpoint: `${issuer}/o/token/`,
    pushed_authorization_request_endpoint: `${issuer}/o/par/`,
    require_pushed_authorization_requests: settings.requirePar,
    request_parameter_supported: true,
    request_uri_parameter_supported: true,
    require_request_uri_registration: true,
    request_object_signing_alg_values_supported: SIGNING_ALGORITHMS,
    require_signed_request_object: false, // a client's registration can require it
    ...(settings.dynamicRegistration !== 'off' && { registration_endpoint: `${issuer}/o/register/` }),
    device_authorization_endpoint: `${issuer}/o/device_authorization/`,
    jwks_uri: `${issuer}${JWKS_PATH}`,
    revocation_endpoint: `${issuer}/o/revoke_token/`,
    introspection_endpoint: `${issuer}/o/introspect/`,
    grant_management_endpoint: `${issuer}/o/grants`,
    grant_management_actions_supported: ['query', 'revoke', ...MANAGEMENT_ACTIONS],
    grant_management_action_required: false,
    protected_resources: resources.uris(),
    // Omits restricted scopes, because some clients request all scopes listed here, even those that they may not use.
    scopes_supported: Object.keys(resources.scopes()).filter((name) => !isRestricted(name)),
    ...(resources.detailTypes().size > 0 && {
      authorization_details_types_supported: [...resources.detailTypes().keys()],
    }),
    response_types_supported: ['code'],
    response_modes_supported: RESPONSE_MODES,
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    // RFC 8414 §2 also allows access token types, such as `Bearer`.
    introspection_endpoint_auth_methods_supported: [...methods.filter((method) => method !== 'none'), 'Bearer'],
    introspection_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    introspection_signing_alg_values_supported: SIGNING_ALGORITHMS,
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    code_challenge_methods_supported: settings.pkceMethods,
    authorization_response_iss_parameter_supported: true,
    authorization_signing_alg_values_supported: SIGNING_ALGORITHMS,
    client_id_metadata_document_supported: settings.clientDocuments !== 'off',
    ...(brandLinks.privacy !== undefined && { op_policy_uri: brandLinks.privacy }),
    ...(brandLinks.terms !== undefined && { op_tos_uri: brandLinks.terms }),
  };
}
