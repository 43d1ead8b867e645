import { SCHEME_NAMES } from '../../policy/open-api-security.ts';
import { FORM } from '../media-types.ts';
import { header, json, arrayOf, object, RETRY_AFTER, STRING } from './shared-responses.ts';
import type { ApiResponse, Content, Operation, Schema } from './operation.ts';
import { CLIENT_AUTHENTICATION } from './security-schemes.ts';
import { TOKEN_TYPES } from '../../oauth/exchange/token-types.ts';
import { DEVICE_GRANT_TYPE } from '../../oauth/grant-types/device-code.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../oauth/grant-types/jwt-bearer.ts';
import { TOKEN_EXCHANGE_GRANT_TYPE } from '../../oauth/grant-types/token-exchange.ts';

// The endpoints of RFC 6749, 7009 and 7662: see http/protocol.

export const VALUE: Schema = { type: 'string', minLength: 1 };
const SECRET: Schema = { ...VALUE, writeOnly: true };
export const RESOURCE: Schema = {
  ...arrayOf({ ...VALUE, format: 'uri' }),
  description: 'The resource servers that the token is for (RFC 8707).',
};
export const SCOPE: Schema = {
  ...VALUE,
  description: 'Names, separated by spaces. If it is absent, the server uses a default.',
};

/** Authorization details (RFC 9396). Form parameters are strings, so the list is JSON text. */
export const DETAILS: Schema = {
  ...VALUE,
  maxLength: 4096,
  description: 'Authorization details, as the JSON text of a list (RFC 9396). Their types are in the metadata.',
};

/** For clients that do not use HTTP Basic. */
export const CREDENTIALS = { client_id: VALUE, client_secret: SECRET };

export const OAUTH_ERROR: Schema = {
  title: 'OAuthError',
  ...object(
    {
      error: { type: 'string', description: 'An error code from RFC 6749 §5.2.' },
      error_description: { type: 'string', pattern: '^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*$' },
      request_id: { type: 'string', description: 'The `X-Request-Id`, if the server failed.' },
    },
    ['error', 'error_description'],
  ),
};

export const NO_CACHE = { Pragma: header('For HTTP/1.0 caches (RFC 6749 §5.1).', { const: 'no-cache' }) };

/** The header with a nonce from this server (RFC 9449 §8). */
export const NONCE = { 'DPoP-Nonce': { description: 'For the next DPoP proof.', schema: STRING } };

const oauthErrorResponse = (name: string, description: string, headers: ApiResponse['headers'] = {}): ApiResponse => ({
  name,
  description,
  headers: { ...NO_CACHE, ...headers },
  content: json(OAUTH_ERROR),
});

/** The errors at client endpoints, in the format of RFC 6749 §5.2. */
export const CLIENT_ERRORS: Readonly<Record<number, ApiResponse>> = {
  400: oauthErrorResponse('Refused', 'The request is refused.', NONCE),
  401: oauthErrorResponse('InvalidClient', 'The client is unknown, or its credentials are missing or wrong.', {
    'WWW-Authenticate': header('How to authenticate.', {
      type: 'string',
      pattern: '^(?:Basic|Bearer) realm="grantlog"',
    }),
  }),
  413: oauthErrorResponse('RequestTooLarge', 'The body is too large.'),
  415: oauthErrorResponse('RequestUnreadable', 'The type, encoding or charset of the body is not accepted.'),
  429: oauthErrorResponse('TooManyAttempts', 'Too many attempts. Correct passwords also count.', RETRY_AFTER),
  500: { name: 'ServerError', description: 'An unexpected error.', content: json(OAUTH_ERROR) },
  503: {
    name: 'TemporarilyUnavailable',
    headers: RETRY_AFTER,
    content: json(OAUTH_ERROR),
    description: 'Nothing can be recorded, or too many secrets are waiting to be checked.',
  },
};

/** Returns the client errors with these statuses. */
export function clientErrors(...statuses: readonly number[]): Readonly<Record<number, ApiResponse>> {
  return Object.fromEntries(Object.entries(CLIENT_ERRORS).filter(([status]) => statuses.includes(Number(status))));
}

const TOKEN_RESPONSE: Schema = {
  title: 'TokenResponse',
  ...object(
    {
      access_token: STRING,
      expires_in: { type: 'integer', minimum: 1, description: 'Seconds.' },
      token_type: { enum: ['Bearer', 'DPoP'] },
      scope: { ...STRING, description: 'The granted scope. A user may have granted less than was requested.' },
      refresh_token: STRING,
      authorization_details: arrayOf({ type: 'object' }),
      grant_id: { ...STRING, description: 'Present if the request had a grant_management_action.' },
      issued_token_type: { ...STRING, format: 'uri', description: 'Present after a token exchange (RFC 8693 §2.2.1).' },
    },
    ['access_token', 'expires_in', 'token_type', 'scope'],
  ),
};

function grantRequest(
  title: string,
  grantType: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Schema {
  return {
    title,
    type: 'object',
    properties: {
      grant_type: { const: grantType },
      ...properties,
      resource: RESOURCE,
      authorization_details: DETAILS,
      ...CREDENTIALS,
    },
    required: ['grant_type', ...required],
  };
}

/** A token type identifier (RFC 8693 §3). */
const TOKEN_TYPE: Schema = { enum: Object.values(TOKEN_TYPES) };

/** The token requests, by `grant_type`. */
const GRANT_REQUESTS: Readonly<Record<string, Schema>> = {
  authorization_code: grantRequest(
    'AuthorizationCodeRequest',
    'authorization_code',
    {
      code: SECRET,
      redirect_uri: { ...VALUE, description: 'The same as in the authorization request, if it was sent there.' },
      code_verifier: { ...SECRET, description: 'RFC 7636; printable ASCII.', maxLength: 256 },
    },
    ['code'],
  ),
  client_credentials: grantRequest('ClientCredentialsRequest', 'client_credentials', { scope: SCOPE }, []),
  password: grantRequest('PasswordRequest', 'password', { username: VALUE, password: SECRET, scope: SCOPE }, [
    'username',
    'password',
  ]),
  [DEVICE_GRANT_TYPE]: grantRequest('DeviceCodeRequest', DEVICE_GRANT_TYPE, { device_code: SECRET }, ['device_code']),
  [TOKEN_EXCHANGE_GRANT_TYPE]: grantRequest(
    'TokenExchangeRequest',
    TOKEN_EXCHANGE_GRANT_TYPE,
    {
      subject_token: { ...SECRET, description: 'The token of the party on whose behalf the request is made.' },
      subject_token_type: TOKEN_TYPE,
      actor_token: { ...SECRET, description: 'The token of the acting party, for delegation.' },
      actor_token_type: TOKEN_TYPE,
      requested_token_type: { enum: [TOKEN_TYPES.accessToken, TOKEN_TYPES.jwt] },
      scope: { ...VALUE, description: 'At most the scope of the subject token, the actor token and the policy.' },
      audience: { ...RESOURCE, description: 'Like `resource` (RFC 8693 §2.1).' },
    },
    ['subject_token', 'subject_token_type'],
  ),
  [JWT_BEARER_GRANT_TYPE]: grantRequest(
    'JwtBearerRequest',
    JWT_BEARER_GRANT_TYPE,
    {
      assertion: { ...SECRET, description: 'A single-use JWT from a trusted issuer (RFC 7523 §2.1).' },
      scope: { ...VALUE, description: "At most the scopes in the issuer's record and in the assertion." },
    },
    ['assertion'],
  ),
  refresh_token: grantRequest(
    'RefreshRequest',
    'refresh_token',
    { refresh_token: SECRET, scope: { ...VALUE, description: 'At most the granted scope.' } },
    ['refresh_token'],
  ),
};

const TOKEN_QUERY: Schema = {
  title: 'TokenQuery',
  type: 'object',
  properties: { token: SECRET, token_type_hint: { ...VALUE, description: 'Not needed.' }, ...CREDENTIALS },
  required: ['token'],
};

const INACTIVE = object({ active: { const: false } });
const ACTIVE = object(
  {
    active: { const: true },
    scope: STRING,
    client_id: STRING,
    username: STRING,
    token_type: { enum: ['Bearer', 'DPoP'] },
    exp: { type: 'integer' },
    iat: { type: 'integer' },
    sub: STRING,
    iss: { type: 'string', format: 'uri' },
    aud: { oneOf: [STRING, arrayOf(STRING)] },
    cnf: {
      ...object({ jkt: STRING, 'x5t#S256': STRING }, []),
      description: 'The key or certificate that the token is bound to.',
    },
    auth_time: { type: 'integer' },
    acr: STRING,
    authorization_details: arrayOf({ type: 'object' }),
    act: {
      ...object({ sub: STRING, client_id: STRING, act: { type: 'object' } }, ['sub']),
      description: 'The party that acts for the subject (RFC 8693 §4.1).',
    },
    groups: { ...arrayOf(STRING), description: 'The names of the user’s groups, with the `groups` scope.' },
  },
  ['active', 'scope', 'client_id', 'sub', 'iss'],
);

const INTROSPECTION: Schema = {
  title: 'Introspection',
  description: 'The state of a token (RFC 7662 §2.2).',
  oneOf: [INACTIVE, ACTIVE],
};

/** The encodings of request bodies that this server accepts. */
export interface BodyOptions {
  readonly jsonTokenRequests: boolean;
}

export function bodyContent(schema: Schema, { jsonTokenRequests }: BodyOptions): Content {
  return {
    [FORM]: { schema },
    ...(jsonTokenRequests ? { 'application/json': { schema } } : {}),
  };
}

export const COMMON = { method: 'POST', tag: 'OAuth', publicSecurity: CLIENT_AUTHENTICATION } as const;

export function tokenOperation(options: BodyOptions & { readonly grantTypes: readonly string[] }): Operation {
  return {
    ...COMMON,
    path: '/o/token/',
    id: 'issueToken',
    summary: 'Get an access token (RFC 6749 §3.2)',
    description: 'The proof in the `DPoP` header, if there is one, binds the tokens to its key (RFC 9449).',
    body: bodyContent({ oneOf: options.grantTypes.flatMap((name) => GRANT_REQUESTS[name] ?? []) }, options),
    responses: {
      200: { description: 'The token.', headers: { ...NO_CACHE, ...NONCE }, content: json(TOKEN_RESPONSE) },
      ...CLIENT_ERRORS,
    },
  };
}

export function revocationOperation(options: BodyOptions): Operation {
  return {
    ...COMMON,
    path: '/o/revoke_token/',
    id: 'revokeToken',
    summary: 'Revoke a token (RFC 7009)',
    description: 'Revoking an access token or a refresh token ends the whole grant.',
    body: bodyContent(TOKEN_QUERY, options),
    responses: {
      200: { description: 'The token is now invalid, or already was.', headers: NO_CACHE },
      ...CLIENT_ERRORS,
    },
  };
}

export function introspectionOperation(options: BodyOptions): Operation {
  return {
    ...COMMON,
    path: '/o/introspect/',
    id: 'introspectToken',
    summary: 'Inspect a token (RFC 7662)',
    description:
      'For confidential clients, and for callers with an access token that has the `introspection` scope. The ' +
      'response is JSON, or signed (RFC 9701) if `Accept` prefers that type.',
    publicSecurity: [...CLIENT_AUTHENTICATION, { [SCHEME_NAMES.token]: ['introspection'] }],
    body: bodyContent(TOKEN_QUERY, options),
    responses: {
      200: {
        description: 'The state of the token.',
        headers: NO_CACHE,
        content: { ...json(INTROSPECTION), 'application/token-introspection+jwt': { schema: STRING } },
      },
      ...CLIENT_ERRORS,
    },
  };
}
