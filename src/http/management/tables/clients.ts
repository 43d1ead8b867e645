import { MAX_LOGO_BASE64_LENGTH } from '../../../domain/logo.ts';
import { observedClient } from '../../../domain/streams.ts';
import type { OperationDeps } from '../../../operations/operation-context.ts';
import { arrayOf, object, STRING } from '../../openapi/shared-responses.ts';
import {
  forbidRestrictedScopes,
  forbidCallingClient,
  forbidPrivilegedClient,
  forbidOtherPrivilegedClient,
} from '../privilege-checks.ts';
import type { Input, ManagementRow } from '../row.ts';
import {
  ANY_OBJECT,
  BOOLEAN,
  fields,
  INTEGER_OR_NULL,
  namedObject,
  STRING_OR_NULL,
  STRINGS,
  STRINGS_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../schemas.ts';

const KEY = namedObject('ManagedClientKey', {
  thumbprint: STRING,
  kty: STRING,
  kid: STRING_OR_NULL,
  alg: STRING_OR_NULL,
  last_used_at: TIME_OR_NULL,
  last_used_position: INTEGER_OR_NULL,
});
const CLIENT = namedObject('ManagedClient', {
  ...fields(['client_id', 'name', 'client_type', 'access_token_format', 'access_token_algorithm', 'mode'], STRING),
  ...fields(['id_token_algorithm', 'subject_type', 'authorization_signed_response_alg'], STRING),
  introspection_signed_response_alg: STRING,
  ...fields(['application_type', 'jwks_uri', 'owner', 'logo_media_type', 'description', 'client_uri'], STRING_OR_NULL),
  ...fields(['policy_uri', 'tos_uri', 'profile', 'userinfo_algorithm', 'sector_identifier_uri'], STRING_OR_NULL),
  ...fields(['backchannel_logout_uri', 'initiate_login_uri', 'request_object_signing_alg'], STRING_OR_NULL),
  ...fields(['tls_client_auth_subject_dn', 'tls_client_auth_san_dns', 'tls_client_auth_san_uri'], STRING_OR_NULL),
  ...fields(['tls_client_auth_san_ip', 'tls_client_auth_san_email'], STRING_OR_NULL),
  authorization_details_types: STRINGS_OR_NULL,
  ...fields(['grant_types', 'redirect_uris', 'allowed_origins', 'allowed_scopes', 'auth_methods', 'owners'], STRINGS),
  ...fields(['test_users', 'post_logout_redirect_uris', 'request_uris'], STRINGS),
  forbidden_redirect_uris: arrayOf(object({ redirect_uri: STRING, problem: STRING, setting: STRING_OR_NULL })),
  ...fields(['skip_authorization', 'second_factor_required', 'self_registered', 'secret_unsealed'], BOOLEAN),
  ...fields(['backchannel_logout_session_required', 'require_auth_time', 'dpop_bound_access_tokens'], BOOLEAN),
  ...fields(['tls_client_certificate_bound_access_tokens', 'require_pushed_authorization_requests'], BOOLEAN),
  require_signed_request_object: BOOLEAN,
  keys: arrayOf(KEY),
  default_max_age: INTEGER_OR_NULL,
  registered_at: TIME,
  ...fields(['disabled_at', 'last_used_at', 'previous_secret_ends_at', 'previous_secret_last_used_at'], TIME_OR_NULL),
  ...fields(['last_used_position', 'previous_secret_last_used_position'], INTEGER_OR_NULL),
});
const MEMBER = namedObject('ManagedClientMember', { username: STRING, role: STRING, since: TIME, active: BOOLEAN });
const KEYS = namedObject('ManagedClientKeys', { client_id: STRING, keys: arrayOf(KEY) });
const STATUS = namedObject('ManagedClientStatus', { client_id: STRING, disabled: BOOLEAN });
const LOGOUT = namedObject('ManagedLogout', {
  client_id: STRING,
  sid: STRING,
  state: { type: 'string', enum: ['pending', 'delivered', 'failed'] },
  reason: STRING_OR_NULL,
  status: INTEGER_OR_NULL,
  attempts: INTEGER_OR_NULL,
  at: TIME,
  position: { type: 'integer' },
});

const BY_ID = { fromPath: { id: 'clientId' } } as const;
const SECRET_NOTE = 'Only this response contains the secret. Do not log the secret.';
const NOT_IF_PRIVILEGED = 'Refused for the calling client, and for a client with a restricted scope.';

/** The body contains the JWK set itself, not its JSON text. */
const JWKS = { jwks: { ...ANY_OBJECT, description: 'A JWK set with public keys (RFC 7517 §5).' } };

const revision = ({ clientId }: Input, { projections }: OperationDeps) => {
  const client = projections.clients.find(String(clientId));
  return client && observedClient(client);
};

function memberRows(path: string, role: 'owner' | 'test-user', title: string): readonly ManagementRow[] {
  const shared = { ...BY_ID, operation: 'client members', path: `/clients/{id}/${path}` } as const;
  const id = title.replaceAll(' ', '');
  return [
    {
      ...shared,
      method: 'GET',
      id: `list${id}`,
      summary: `List the ${path.replace('-', ' ')} of a client`,
      constantInput: { role, add: [], remove: [] },
      response: { kind: 'list', item: MEMBER, key: ['username'] },
    },
    {
      ...shared,
      method: 'PATCH',
      id: `change${id}`,
      summary: `Add and remove ${path.replace('-', ' ')} of a client`,
      description: `Members are added before others are removed. ${NOT_IF_PRIVILEGED}`,
      constantInput: { role },
      body: { defaults: { add: [], remove: [] } },
      response: { kind: 'list', item: MEMBER, key: ['username'] },
      privilegeChecks: [forbidPrivilegedClient],
      example: { add: ['ada'] },
    },
  ];
}

export const CLIENT_ROWS: readonly ManagementRow[] = [
  {
    operation: 'client list',
    method: 'GET',
    path: '/clients',
    id: 'listClients',
    summary: 'List the clients',
    fromQuery: {
      q: { member: 'search', kind: 'text' },
      type: { member: 'clientType', kind: 'text' },
      status: { member: 'status', kind: 'text' },
      user: { member: 'owner', kind: 'text' },
    },
    response: { kind: 'list', item: CLIENT, key: ['client_id'] },
  },
  {
    operation: 'client add',
    method: 'POST',
    path: '/clients',
    id: 'addClient',
    summary: 'Register a client',
    description: `${SECRET_NOTE} The request cannot give the client a restricted scope.`,
    constantInput: { credentials: null },
    body: {
      defaults: { redirectUris: [], allowedOrigins: [], skipAuthorization: false, owner: null },
      json: JWKS,
    },
    response: {
      kind: 'one',
      status: 201,
      schema: namedObject('ManagedNewClient', { client_id: STRING, client_secret: STRING_OR_NULL }),
    },
    privilegeChecks: [forbidRestrictedScopes],
    example: {
      name: 'Reports',
      client_type: 'confidential',
      grant_types: ['authorization-code'],
      redirect_uris: ['https://reports.example.org/callback'],
    },
  },
  {
    ...BY_ID,
    operation: 'client show',
    method: 'GET',
    path: '/clients/{id}',
    id: 'showClient',
    summary: 'Read a client',
    response: { kind: 'one', schema: CLIENT },
    revision,
  },
  {
    ...BY_ID,
    operation: 'client update',
    method: 'PATCH',
    path: '/clients/{id}',
    id: 'updateClient',
    summary: "Update a client's registration",
    description: NOT_IF_PRIVILEGED,
    body: { container: 'changes', json: JWKS },
    response: { kind: 'one', schema: CLIENT },
    privilegeChecks: [forbidPrivilegedClient, forbidRestrictedScopes],
    revision,
    example: { name: 'Annual reports' },
  },
  {
    ...BY_ID,
    operation: 'client remove',
    method: 'DELETE',
    path: '/clients/{id}',
    id: 'removeClient',
    summary: 'Remove a client and all its grants and tokens. This cannot be undone',
    description: 'Refused for the calling client.',
    response: { kind: 'none' },
    privilegeChecks: [forbidCallingClient],
    revision,
  },
  {
    ...BY_ID,
    operation: 'client logo',
    method: 'PUT',
    path: '/clients/{id}/logo',
    id: 'setLogo',
    summary: "Set or remove a client's logo",
    description: `The body contains the image in base64, or null to remove the logo. ${NOT_IF_PRIVILEGED}`,
    body: { limitBytes: MAX_LOGO_BASE64_LENGTH + 1_024 },
    response: { kind: 'one', schema: CLIENT },
    privilegeChecks: [forbidPrivilegedClient],
    example: { image: null },
  },
  {
    ...BY_ID,
    operation: 'client rotate-secret',
    method: 'POST',
    path: '/clients/{id}/secret',
    id: 'rotateSecret',
    summary: "Replace a client's secret",
    description: `${SECRET_NOTE} The old secret expires after overlap_seconds. Refused for other restricted clients.`,
    body: {},
    response: {
      kind: 'one',
      schema: namedObject('ManagedClientSecret', {
        client_id: STRING,
        client_secret: STRING,
        previous_secret_ends_at: TIME_OR_NULL,
      }),
    },
    privilegeChecks: [forbidOtherPrivilegedClient],
    example: { overlap_seconds: 3_600 },
  },
  ...memberRows('owners', 'owner', 'Owners'),
  ...memberRows('test-users', 'test-user', 'Test Users'),
  {
    ...BY_ID,
    operation: 'client transfer',
    method: 'POST',
    path: '/clients/{id}/transfer',
    id: 'transferClient',
    summary: 'Make a user the only owner of a client',
    description: NOT_IF_PRIVILEGED,
    body: {},
    response: { kind: 'one', schema: namedObject('ManagedTransfer', { client_id: STRING, owner: STRING }) },
    privilegeChecks: [forbidPrivilegedClient],
    example: { to: 'ada' },
  },
  {
    ...BY_ID,
    operation: 'client disable',
    method: 'POST',
    path: '/clients/{id}/disable',
    id: 'disableClient',
    summary: 'Disable a client: all its requests and tokens are refused until it is enabled',
    description: 'Its grants and tokens are not revoked. Refused for the calling client.',
    response: { kind: 'one', schema: STATUS },
    privilegeChecks: [forbidCallingClient],
  },
  {
    ...BY_ID,
    operation: 'client enable',
    method: 'POST',
    path: '/clients/{id}/enable',
    id: 'enableClient',
    summary: 'Enable a client: its requests and tokens are accepted again',
    description: NOT_IF_PRIVILEGED,
    response: { kind: 'one', schema: STATUS },
    privilegeChecks: [forbidPrivilegedClient],
  },
  {
    ...BY_ID,
    operation: 'client keys',
    method: 'GET',
    path: '/clients/{id}/keys',
    id: 'listClientKeys',
    summary: "List a client's public keys",
    description: 'If the client publishes its keys, the server fetches them.',
    response: { kind: 'list', item: KEY, key: ['thumbprint'] },
  },
  {
    ...BY_ID,
    operation: 'client keys add',
    method: 'POST',
    path: '/clients/{id}/keys',
    id: 'addClientKeys',
    summary: 'Add public keys to a client',
    description: NOT_IF_PRIVILEGED,
    body: { json: JWKS },
    response: { kind: 'one', schema: KEYS },
    privilegeChecks: [forbidPrivilegedClient],
    example: { jwks: { keys: [] } },
  },
  {
    operation: 'client keys remove',
    method: 'DELETE',
    path: '/clients/{id}/keys/{key}',
    id: 'removeClientKey',
    summary: "Remove one of a client's public keys, by its thumbprint or kid",
    description: NOT_IF_PRIVILEGED,
    fromPath: { id: 'clientId', key: 'key' },
    response: { kind: 'none' },
    privilegeChecks: [forbidPrivilegedClient],
  },
  {
    operation: 'client logouts',
    method: 'GET',
    path: '/logouts',
    id: 'listLogouts',
    summary: 'List the deliveries of logout tokens to all clients, or to one client',
    constantInput: { clientId: null },
    fromQuery: { client: { member: 'clientId', kind: 'text' } },
    response: { kind: 'list', item: LOGOUT, key: ['client_id', 'sid', 'position'] },
  },
];
