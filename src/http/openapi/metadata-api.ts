import {
  ANY_ORIGIN,
  BAD_REQUEST,
  NOT_FOUND,
  cacheControl,
  header,
  arrayOf,
  object,
  STRING,
  UNEXPECTED,
} from './shared-responses.ts';
import type { SigningAlgorithm } from '../../domain/values.ts';
import type { ApiResponse, Operation, Schema } from './operation.ts';

// See metadata.ts, protected-resource.ts and open-api.ts in http/protocol.

const URI: Schema = { type: 'string', format: 'uri' };
const NAME_LIST = arrayOf(STRING);

const SERVER_MEMBERS: Readonly<Record<string, Schema>> = {
  issuer: URI,
  authorization_endpoint: URI,
  token_endpoint: URI,
  device_authorization_endpoint: URI,
  pushed_authorization_request_endpoint: URI,
  require_pushed_authorization_requests: { type: 'boolean' },
  request_parameter_supported: { const: true },
  request_uri_parameter_supported: { const: true },
  require_request_uri_registration: { const: true },
  request_object_signing_alg_values_supported: NAME_LIST,
  require_signed_request_object: { const: false },
  jwks_uri: URI,
  revocation_endpoint: URI,
  introspection_endpoint: URI,
  grant_management_endpoint: URI,
  grant_management_actions_supported: NAME_LIST,
  grant_management_action_required: { const: false },
  protected_resources: arrayOf(URI),
  scopes_supported: NAME_LIST,
  response_types_supported: NAME_LIST,
  response_modes_supported: NAME_LIST,
  grant_types_supported: NAME_LIST,
  token_endpoint_auth_methods_supported: NAME_LIST,
  token_endpoint_auth_signing_alg_values_supported: NAME_LIST,
  revocation_endpoint_auth_signing_alg_values_supported: NAME_LIST,
  introspection_endpoint_auth_signing_alg_values_supported: NAME_LIST,
  revocation_endpoint_auth_methods_supported: NAME_LIST,
  introspection_endpoint_auth_methods_supported: NAME_LIST,
  introspection_signing_alg_values_supported: NAME_LIST,
  dpop_signing_alg_values_supported: NAME_LIST,
  code_challenge_methods_supported: NAME_LIST,
  authorization_response_iss_parameter_supported: { const: true },
  client_id_metadata_document_supported: { type: 'boolean' },
  authorization_signing_alg_values_supported: NAME_LIST,
};

const OPTIONAL_MEMBERS = {
  /** Present if a resource server declares types of authorization details (RFC 9396 §10). */
  authorization_details_types_supported: NAME_LIST,
  /** Present if clients can register themselves (RFC 7591). */
  registration_endpoint: URI,
  /** Present if the operator has set the link. */
  op_policy_uri: URI,
  /** Present if the operator has set the link. */
  op_tos_uri: URI,
  /** Present if the server can receive client certificates (RFC 8705 §3.3). */
  tls_client_certificate_bound_access_tokens: { const: true },
  /** Present if clients present their certificates at a different base URL (RFC 8705 §5). */
  mtls_endpoint_aliases: { type: 'object', additionalProperties: URI },
} as const;

const SERVER_METADATA: Schema = { title: 'AuthorizationServerMetadata', ...withOptionalMembers(SERVER_MEMBERS) };

function withOptionalMembers(members: Readonly<Record<string, Schema>>): Schema {
  return object({ ...members, ...OPTIONAL_MEMBERS }, Object.keys(members));
}

const OPENID_METADATA: Schema = {
  title: 'OpenIdProviderMetadata',
  ...withOptionalMembers({
    ...SERVER_MEMBERS,
    userinfo_endpoint: URI,
    end_session_endpoint: URI,
    subject_types_supported: NAME_LIST,
    id_token_signing_alg_values_supported: NAME_LIST,
    userinfo_signing_alg_values_supported: NAME_LIST,
    acr_values_supported: NAME_LIST,
    prompt_values_supported: NAME_LIST,
    claim_types_supported: NAME_LIST,
    claims_supported: NAME_LIST,
    claims_parameter_supported: { const: true },
    ui_locales_supported: NAME_LIST,
    backchannel_logout_supported: { const: true },
    backchannel_logout_session_supported: { const: true },
  }),
};

const WEBFINGER: Schema = {
  title: 'WebFinger',
  ...object({ subject: STRING, links: arrayOf(object({ rel: URI, href: URI })) }),
};

const RESOURCE_METADATA: Schema = {
  title: 'ProtectedResourceMetadata',
  ...object({
    resource: URI,
    authorization_servers: arrayOf(URI),
    scopes_supported: NAME_LIST,
    bearer_methods_supported: NAME_LIST,
    dpop_signing_alg_values_supported: NAME_LIST,
  }),
};

const PUBLISHED_METADATA: Schema = {
  title: 'PublishedResourceMetadata',
  ...object(
    {
      resource: URI,
      resource_name: STRING,
      authorization_servers: arrayOf(URI),
      bearer_methods_supported: NAME_LIST,
      scopes_supported: NAME_LIST,
      authorization_details_types_supported: NAME_LIST,
      dpop_signing_alg_values_supported: NAME_LIST,
    },
    ['resource', 'resource_name', 'authorization_servers', 'bearer_methods_supported'],
  ),
};

const KEYS: Schema = {
  title: 'KeySet',
  ...object({
    keys: arrayOf({
      oneOf: [
        publicKeySchema({ kty: { const: 'RSA' }, n: STRING, e: STRING }, ['RS256', 'PS256']),
        publicKeySchema({ kty: { const: 'EC' }, crv: { const: 'P-256' }, x: STRING, y: STRING }, ['ES256']),
        publicKeySchema({ kty: { const: 'OKP' }, crv: { const: 'Ed25519' }, x: STRING }, ['EdDSA']),
      ],
    }),
  }),
};

/** Returns the schema for a public key (RFC 7517 §4). */
function publicKeySchema(members: Readonly<Record<string, Schema>>, algorithms: readonly SigningAlgorithm[]): Schema {
  return object({ ...members, kid: STRING, alg: { enum: algorithms }, use: { const: 'sig' } });
}

const COMMON = { method: 'GET', tag: 'Metadata', publicSecurity: [] } as const;

function documentResponse(description: string, schema: Schema, mediaType = 'application/json'): ApiResponse {
  return {
    description,
    headers: {
      ...cacheControl('The response is the same for every caller.', '^public, max-age=[0-9]+$'),
      ...ANY_ORIGIN,
    },
    content: { [mediaType]: { schema } },
  };
}

export const READ_SERVER_METADATA: Operation = {
  ...COMMON,
  path: '/.well-known/oauth-authorization-server',
  id: 'readServerMetadata',
  summary: 'The metadata of this authorization server (RFC 8414)',
  responses: { 200: documentResponse('Endpoints, grant types, scopes.', SERVER_METADATA), 500: UNEXPECTED },
};

export const READ_OPENID_METADATA: Operation = {
  ...COMMON,
  path: '/.well-known/openid-configuration',
  id: 'readOpenIdMetadata',
  summary: 'The metadata of this OpenID provider (OpenID Connect Discovery §3)',
  responses: { 200: documentResponse('Endpoints, algorithms, claims.', OPENID_METADATA), 500: UNEXPECTED },
};

export const READ_WEBFINGER: Operation = {
  ...COMMON,
  path: '/.well-known/webfinger',
  id: 'readWebFinger',
  summary: 'The OpenID provider for users of this host (RFC 7033)',
  description: 'The response is the same for every user name, whether or not the account exists.',
  parameters: [
    {
      name: 'resource',
      in: 'query',
      required: true,
      description: 'A user’s address, such as `acct:ada@id.example`.',
      schema: { ...STRING, minLength: 1, maxLength: 1024 },
    },
    {
      name: 'rel',
      in: 'query',
      description: 'The relation type of the requested links.',
      schema: { ...STRING, maxLength: 256 },
    },
  ],
  responses: {
    200: documentResponse('The issuer.', WEBFINGER, 'application/jrd+json'),
    400: BAD_REQUEST,
    404: { ...NOT_FOUND, description: 'The address is not on this host.' },
    500: UNEXPECTED,
  },
};

export const READ_KEY_SET: Operation = {
  ...COMMON,
  path: '/.well-known/jwks.json',
  id: 'readKeySet',
  summary: 'The public keys for verifying tokens (RFC 7517)',
  responses: {
    200: documentResponse(
      'The keys in use, the next keys, and earlier keys whose tokens may still be valid.',
      KEYS,
      'application/jwk-set+json',
    ),
    500: UNEXPECTED,
  },
};

const READ_RESOURCE_METADATA: Operation = {
  ...COMMON,
  path: '/.well-known/oauth-protected-resource',
  id: 'readResourceMetadata',
  summary: 'The metadata of the sample API (RFC 9728)',
  responses: {
    200: documentResponse('Authorization servers and scopes.', { oneOf: [RESOURCE_METADATA, PUBLISHED_METADATA] }),
    500: UNEXPECTED,
  },
};

/**
 * Returns the operation that reads the metadata of the sample API, or of a registered resource server that publishes
 * its metadata at the same path.
 */
export function resourceMetadataOperation(hasSampleApi: boolean): Operation {
  if (hasSampleApi) return READ_RESOURCE_METADATA;
  const { responses } = READ_RESOURCE_METADATA;
  return {
    ...READ_RESOURCE_METADATA,
    summary: 'The metadata of the resource server at the root of this host (RFC 9728)',
    responses: {
      ...responses,
      200: documentResponse('Authorization servers and scopes.', PUBLISHED_METADATA),
      404: { ...NOT_FOUND, description: 'No resource server publishes its metadata at this path.' },
    },
  };
}

export const READ_PUBLISHED_METADATA: Operation = {
  ...COMMON,
  path: '/o/resource-metadata/{id}',
  id: 'readPublishedMetadata',
  summary: 'The metadata that this server publishes for a registered resource server (RFC 9728)',
  parameters: [
    { name: 'id', in: 'path', required: true, description: 'The id of the resource server.', schema: STRING },
  ],
  responses: {
    200: documentResponse('Authorization servers and scopes.', PUBLISHED_METADATA),
    400: BAD_REQUEST,
    404: { ...NOT_FOUND, description: 'The resource server does not exist or does not publish its metadata.' },
    500: UNEXPECTED,
  },
};

const DESCRIPTION_RESPONSE = documentResponse('This document.', {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
});
const DESCRIPTION_HEADERS = {
  ...DESCRIPTION_RESPONSE.headers,
  ETag: header('Identifies this version of the document.', { type: 'string', pattern: '^"[^"]+"$' }),
};

export const READ_DESCRIPTION: Operation = {
  ...COMMON,
  path: '/openapi.json',
  id: 'readDescription',
  summary: 'This API description (OpenAPI 3.1)',
  parameters: [
    {
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of the version that the caller has.',
      schema: STRING,
    },
  ],
  responses: {
    200: { ...DESCRIPTION_RESPONSE, headers: DESCRIPTION_HEADERS },
    304: { description: 'The document has not changed.', headers: DESCRIPTION_HEADERS },
    500: UNEXPECTED,
  },
};
