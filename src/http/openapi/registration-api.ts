import { SUBJECT_TYPES } from '../../domain/openid-settings.ts';
import { SIGNING_ALGORITHMS } from '../../domain/values.ts';
import { SCHEME_NAMES } from '../../policy/open-api-security.ts';
import { clientErrors, COMMON, NO_CACHE, OAUTH_ERROR } from './oauth-api.ts';
import type { ApiResponse, Operation, Parameter, Schema } from './operation.ts';
import { arrayOf, header, INSUFFICIENT_SCOPE, json, STRING, UNAUTHENTICATED } from './shared-responses.ts';

// The endpoints of RFC 7591 and RFC 7592: see http/protocol/registration.ts.

const URI: Schema = { type: 'string', format: 'uri' };

const ALGORITHM: Schema = { type: 'string', enum: SIGNING_ALGORITHMS };
const BOOLEAN: Schema = { type: 'boolean' };

const MEMBERS = {
  redirect_uris: arrayOf(URI),
  client_name: STRING,
  client_uri: URI,
  policy_uri: URI,
  tos_uri: URI,
  grant_types: arrayOf(STRING),
  response_types: arrayOf(STRING),
  token_endpoint_auth_method: {
    type: 'string',
    enum: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  },
  application_type: { type: 'string', enum: ['web', 'native'] },
  jwks: { type: 'object', description: 'Public keys. A `jwks_uri` is refused.' },
  authorization_details_types: arrayOf(STRING),
  post_logout_redirect_uris: arrayOf(URI),
  subject_type: { type: 'string', enum: SUBJECT_TYPES },
  id_token_signed_response_alg: ALGORITHM,
  userinfo_signed_response_alg: ALGORITHM,
  default_max_age: { type: 'integer', minimum: 0, description: 'The maximum age of a login, in seconds.' },
  require_auth_time: BOOLEAN,
  dpop_bound_access_tokens: BOOLEAN,
  require_pushed_authorization_requests: BOOLEAN,
  software_id: STRING,
  software_version: STRING,
} as const;

const METADATA: Schema = {
  title: 'ClientMetadata',
  type: 'object',
  properties: { ...MEMBERS, software_statement: STRING },
  description:
    'Members that this server does not use are ignored. `jwks_uri` is refused, because anyone could use it to make ' +
    'the server send requests to any host.',
};

const CLIENT_INFORMATION: Schema = {
  title: 'ClientInformation',
  type: 'object',
  properties: {
    client_id: STRING,
    client_secret: STRING,
    client_id_issued_at: { type: 'integer' },
    client_secret_expires_at: { const: 0, description: 'Always 0: the secret does not expire.' },
    registration_access_token: STRING,
    registration_client_uri: URI,
    ...MEMBERS,
  },
  required: ['client_id', 'client_id_issued_at', 'registration_access_token', 'registration_client_uri'],
};

const TOKEN_REFUSED: ApiResponse = {
  description: 'The registration access token is missing or wrong, or the client does not exist.',
  headers: { 'WWW-Authenticate': header('The authentication scheme to use.', { type: 'string', pattern: '^Bearer' }) },
  content: json(OAUTH_ERROR),
};
const NOT_RECORDED: ApiResponse = {
  description:
    'No user has authorized the client yet, so its registration is not recorded and can be neither changed nor ' +
    'removed (RFC 7592 §2.2).',
  content: json(OAUTH_ERROR),
};
const ERRORS = { ...clientErrors(400, 500, 503), 401: TOKEN_REFUSED };
const BODY_ERRORS = clientErrors(413, 415);
const ID: Parameter = { name: 'id', in: 'path', required: true, description: 'The client id.', schema: STRING };
/** Security schemes cannot describe registration access tokens, so the description of each operation mentions them. */
const WITH_TOKEN = { publicSecurity: [] } as const;

export function registrationOperation(setting: 'token' | 'open'): Operation {
  return {
    ...COMMON,
    publicSecurity: setting === 'token' ? [{ [SCHEME_NAMES.token]: ['clients:register'] }] : [],
    path: '/o/register/',
    id: 'registerClient',
    summary: 'Register a client (RFC 7591 §3)',
    description:
      'With an access token that has the `clients:register` scope, the registration is recorded immediately. Without ' +
      'one, if the server allows this, the client id contains the registration, which is recorded when a user first ' +
      'authorizes the client.',
    body: json(METADATA),
    responses: {
      201: { description: 'The client has been registered.', headers: NO_CACHE, content: json(CLIENT_INFORMATION) },
      ...ERRORS,
      ...BODY_ERRORS,
      401: UNAUTHENTICATED,
      403: INSUFFICIENT_SCOPE,
      ...clientErrors(429),
    },
  };
}

export const READ_REGISTRATION: Operation = {
  ...COMMON,
  ...WITH_TOKEN,
  method: 'GET',
  path: '/o/register/{id}/',
  id: 'readRegistration',
  summary: 'Read a registration (RFC 7592 §2.1)',
  description: 'Requires the registration access token.',
  parameters: [ID],
  responses: {
    200: { description: 'The registration.', headers: NO_CACHE, content: json(CLIENT_INFORMATION) },
    ...ERRORS,
  },
};

export const UPDATE_REGISTRATION: Operation = {
  ...READ_REGISTRATION,
  method: 'PUT',
  id: 'updateRegistration',
  summary: 'Replace a registration (RFC 7592 §2.2)',
  body: json(METADATA),
  responses: { ...READ_REGISTRATION.responses, ...BODY_ERRORS, 403: NOT_RECORDED, ...clientErrors(429) },
};

export const REMOVE_REGISTRATION: Operation = {
  ...COMMON,
  ...WITH_TOKEN,
  method: 'DELETE',
  path: '/o/register/{id}/',
  id: 'removeRegistration',
  summary: 'Remove a client and all its tokens (RFC 7592 §2.3)',
  description: 'Requires the registration access token.',
  parameters: [ID],
  responses: { 204: { description: 'The client has been removed.' }, ...ERRORS, 403: NOT_RECORDED },
};
