import { SCHEME_NAMES } from '../../policy/open-api-security.ts';
import { FORM } from '../media-types.ts';
import { header, json, arrayOf, object, RETRY_AFTER, STRING } from './shared-responses.ts';
import type { ApiResponse, Content, Operation, Schema } from './operation.ts';
import { CLIENT_AUTHENTICATION } from './security-schemes.ts';

// Shared by the endpoints for clients, and the endpoints of RFC 7009 and 7662: see http/protocol.

export const VALUE: Schema = { type: 'string', minLength: 1 };
export const SECRET: Schema = { ...VALUE, writeOnly: true };
export const RESOURCE: Schema = {
  ...arrayOf({ ...VALUE, format: 'uri' }),
  description: 'The resource servers that the token is for (RFC 8707).',
};
export const SCOPE: Schema = {
  ...VALUE,
  description: 'Scope names, separated by spaces. Optional if the server has default scopes for the grant type.',
};

/** Authorization details (RFC 9396). Form parameters are strings, so the list is JSON text. */
export const DETAILS: Schema = {
  ...VALUE,
  maxLength: 4096,
  description: 'A JSON array of authorization details (RFC 9396). The server metadata lists their types.',
};

/** Client credentials in the form, for clients that do not use HTTP Basic. */
export const CREDENTIALS = { client_id: VALUE, client_secret: SECRET };

export const OAUTH_ERROR: Schema = {
  title: 'OAuthError',
  ...object(
    {
      error: { type: 'string', description: 'An error code from RFC 6749 §5.2 or an extension.' },
      error_description: { type: 'string', pattern: '^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*$' },
      request_id: {
        type: 'string',
        description: 'The value of `X-Request-Id`, if the error is not specific to the endpoint.',
      },
    },
    ['error', 'error_description'],
  ),
};

export const NO_CACHE = { Pragma: header('For HTTP/1.0 caches (RFC 6749 §5.1).', { const: 'no-cache' }) };

/** The header with a nonce from this server (RFC 9449 §8). */
export const NONCE = { 'DPoP-Nonce': { description: 'The nonce for the next DPoP proof.', schema: STRING } };

const oauthErrorResponse = (name: string, description: string, headers: ApiResponse['headers'] = {}): ApiResponse => ({
  name,
  description,
  headers: { ...NO_CACHE, ...headers },
  content: json(OAUTH_ERROR),
});

/** The error responses of endpoints for clients, in the format of RFC 6749 §5.2. */
export const CLIENT_ERRORS: Readonly<Record<number, ApiResponse>> = {
  400: oauthErrorResponse('Refused', 'The request is refused.', NONCE),
  401: oauthErrorResponse('InvalidClient', 'The client is unknown, or its credentials are missing or wrong.', {
    'WWW-Authenticate': header('The authentication scheme to use.', {
      type: 'string',
      pattern: '^(?:Basic|Bearer) realm="grantlog"',
    }),
  }),
  413: oauthErrorResponse('RequestTooLarge', 'The body is too large.'),
  415: oauthErrorResponse('RequestUnreadable', 'The type, encoding or charset of the body is not accepted.'),
  429: oauthErrorResponse('TooManyAttempts', 'Too many attempts. Correct passwords also count.', RETRY_AFTER),
  500: { name: 'ServerError', description: 'The server failed unexpectedly.', content: json(OAUTH_ERROR) },
  503: {
    name: 'TemporarilyUnavailable',
    headers: RETRY_AFTER,
    content: json(OAUTH_ERROR),
    description: 'The server cannot record events, or too many secrets are waiting to be checked.',
  },
};

/** Returns the client errors with these statuses. */
export function clientErrors(...statuses: readonly number[]): Readonly<Record<number, ApiResponse>> {
  return Object.fromEntries(Object.entries(CLIENT_ERRORS).filter(([status]) => statuses.includes(Number(status))));
}

const TOKEN_QUERY: Schema = {
  title: 'TokenQuery',
  type: 'object',
  properties: { token: SECRET, token_type_hint: { ...VALUE, description: 'Ignored.' }, ...CREDENTIALS },
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
    groups: { ...arrayOf(STRING), description: 'The names of the user’s groups, if the token has the `groups` scope.' },
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

export function revocationOperation(options: BodyOptions): Operation {
  return {
    ...COMMON,
    path: '/o/revoke_token/',
    id: 'revokeToken',
    summary: 'Revoke a token (RFC 7009)',
    description: 'Revoking an access token or a refresh token ends the whole grant.',
    body: bodyContent(TOKEN_QUERY, options),
    responses: {
      200: { description: 'The token is no longer valid, or never was.', headers: NO_CACHE },
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
      'response is JSON, or a signed JWT (RFC 9701) if the `Accept` header prefers that type.',
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
