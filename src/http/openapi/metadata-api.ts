import { ANY_ORIGIN, cacheControl, header, arrayOf, object, STRING, UNEXPECTED } from './shared-responses.ts';
import type { SigningAlgorithm } from '../../domain/values.ts';
import type { ApiResponse, Operation, Schema } from './operation.ts';

/** See metadata.ts, protected-resource.ts and open-api.ts in http/protocol. */

const URI: Schema = { type: 'string', format: 'uri' };
const NAMES = arrayOf(STRING);

const SERVER_METADATA: Schema = {
  title: 'AuthorizationServerMetadata',
  ...object({
    issuer: URI,
    authorization_endpoint: URI,
    token_endpoint: URI,
    jwks_uri: URI,
    revocation_endpoint: URI,
    introspection_endpoint: URI,
    protected_resources: arrayOf(URI),
    scopes_supported: NAMES,
    response_types_supported: NAMES,
    response_modes_supported: NAMES,
    grant_types_supported: NAMES,
    token_endpoint_auth_methods_supported: NAMES,
    revocation_endpoint_auth_methods_supported: NAMES,
    introspection_endpoint_auth_methods_supported: NAMES,
    code_challenge_methods_supported: NAMES,
    authorization_response_iss_parameter_supported: { const: true },
  }),
};

const RESOURCE_METADATA: Schema = {
  title: 'ProtectedResourceMetadata',
  ...object({
    resource: URI,
    authorization_servers: arrayOf(URI),
    scopes_supported: NAMES,
    bearer_methods_supported: NAMES,
  }),
};

const KEYS: Schema = {
  title: 'KeySet',
  ...object({
    keys: arrayOf({
      oneOf: [
        publicKey({ kty: { const: 'RSA' }, n: STRING, e: STRING }, ['RS256', 'PS256']),
        publicKey({ kty: { const: 'EC' }, crv: { const: 'P-256' }, x: STRING, y: STRING }, ['ES256']),
        publicKey({ kty: { const: 'OKP' }, crv: { const: 'Ed25519' }, x: STRING }, ['EdDSA']),
      ],
    }),
  }),
};

/** RFC 7517 §4. */
function publicKey(members: Readonly<Record<string, Schema>>, algorithms: readonly SigningAlgorithm[]): Schema {
  return object({ ...members, kid: STRING, alg: { enum: algorithms }, use: { const: 'sig' } });
}

const COMMON = { method: 'GET', tag: 'Metadata', publicSecurity: [] } as const;

function document(description: string, schema: Schema, mediaType = 'application/json'): ApiResponse {
  return {
    description,
    headers: { ...cacheControl('The same for every caller.', '^public, max-age=[0-9]+$'), ...ANY_ORIGIN },
    content: { [mediaType]: { schema } },
  };
}

export const READ_SERVER_METADATA: Operation = {
  ...COMMON,
  path: '/.well-known/oauth-authorization-server',
  id: 'readServerMetadata',
  summary: 'The metadata of this authorization server (RFC 8414)',
  responses: { 200: document('Endpoints, grant types, scopes.', SERVER_METADATA), 500: UNEXPECTED },
};

export const READ_KEY_SET: Operation = {
  ...COMMON,
  path: '/.well-known/jwks.json',
  id: 'readKeySet',
  summary: 'The public keys of signed tokens (RFC 7517)',
  responses: {
    200: document(
      'The keys of tokens that may still be valid, the keys in use and the next ones.',
      KEYS,
      'application/jwk-set+json',
    ),
    500: UNEXPECTED,
  },
};

export const READ_RESOURCE_METADATA: Operation = {
  ...COMMON,
  path: '/.well-known/oauth-protected-resource',
  id: 'readResourceMetadata',
  summary: 'The metadata of the sample API (RFC 9728)',
  responses: { 200: document('Authorization servers and scopes.', RESOURCE_METADATA), 500: UNEXPECTED },
};

const DESCRIPTION = document('This document.', { type: 'object', required: ['openapi', 'info', 'paths'] });
const HEADERS = {
  ...DESCRIPTION.headers,
  ETag: header('Identifies this version of the document.', { type: 'string', pattern: '^"[^"]+"$' }),
};

export const READ_DESCRIPTION: Operation = {
  ...COMMON,
  path: '/openapi.json',
  id: 'readDescription',
  summary: 'This description (OpenAPI 3.1)',
  parameters: [
    {
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of the version that the caller has.',
      schema: STRING,
    },
  ],
  responses: {
    200: { ...DESCRIPTION, headers: HEADERS },
    304: { description: 'It has not changed.', headers: HEADERS },
    500: UNEXPECTED,
  },
};
