import { SCHEME_NAMES } from '../../policy/open-api-security.ts';
import { BAD_REQUEST, header, json, arrayOf, object, RETRY_AFTER, SERVER_ERRORS, STRING } from './shared-responses.ts';
import type { ApiResponse, Content, Operation, Parameter, Schema } from './operation.ts';
import { CLIENT_AUTHENTICATION } from './security-schemes.ts';
import { RESPONSE_MODES } from '../../oauth/endpoints/authorization-request.ts';

/** The endpoints of RFC 6749, 7009 and 7662: see http/protocol and http/pages/authorize. */

const VALUE: Schema = { type: 'string', minLength: 1 };
const SECRET: Schema = { ...VALUE, writeOnly: true };
const RESOURCE: Schema = {
  ...arrayOf({ ...VALUE, format: 'uri' }),
  description: 'The resource servers at which the token will be used (RFC 8707).',
};
const SCOPE: Schema = {
  ...VALUE,
  description: 'Names, separated by spaces. Without it, the server uses a default.',
};

/** For clients that do not use HTTP Basic. */
const CREDENTIALS = { client_id: VALUE, client_secret: SECRET };

const ERROR: Schema = {
  title: 'OAuthError',
  ...object(
    {
      error: { type: 'string', description: 'A code of RFC 6749 §5.2.' },
      error_description: { type: 'string', pattern: '^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*$' },
      request_id: { type: 'string', description: 'The `X-Request-Id`, if the server failed.' },
    },
    ['error', 'error_description'],
  ),
};

const NO_CACHE = { Pragma: header('For caches of HTTP/1.0 (RFC 6749 §5.1).', { const: 'no-cache' }) };

const oauthErrorResponse = (name: string, description: string, headers: ApiResponse['headers'] = {}): ApiResponse => ({
  name,
  description,
  headers: { ...NO_CACHE, ...headers },
  content: json(ERROR),
});

/** The errors of RFC 6749 §5.2. */
export const CLIENT_ERRORS: Readonly<Record<number, ApiResponse>> = {
  400: oauthErrorResponse('Refused', 'The request is refused.'),
  401: oauthErrorResponse('InvalidClient', 'The client is unknown, or its credentials are missing or wrong.', {
    'WWW-Authenticate': header('How to authenticate.', {
      type: 'string',
      pattern: '^(?:Basic|Bearer) realm="grantlog"',
    }),
  }),
  413: oauthErrorResponse('RequestTooLarge', 'The body is too large.'),
  415: oauthErrorResponse('RequestUnreadable', 'The body has another type, or is not plain UTF-8.'),
  429: oauthErrorResponse('TooManyAttempts', 'Too many attempts. Correct passwords count, too.', RETRY_AFTER),
  500: { name: 'ServerError', description: 'An unexpected error.', content: json(ERROR) },
  503: {
    name: 'TemporarilyUnavailable',
    headers: RETRY_AFTER,
    content: json(ERROR),
    description: 'Nothing can be recorded at the moment, or too many secrets are waiting to be checked.',
  },
};

const TOKEN_RESPONSE: Schema = {
  title: 'TokenResponse',
  ...object(
    {
      access_token: STRING,
      expires_in: { type: 'integer', minimum: 1, description: 'Seconds.' },
      token_type: { const: 'Bearer' },
      scope: { ...STRING, description: 'The granted scope. A user may have granted less than was requested.' },
      refresh_token: STRING,
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
    properties: { grant_type: { const: grantType }, ...properties, resource: RESOURCE, ...CREDENTIALS },
    required: ['grant_type', ...required],
  };
}

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
    token_type: { const: 'Bearer' },
    exp: { type: 'integer' },
    iat: { type: 'integer' },
    sub: STRING,
    iss: { type: 'string', format: 'uri' },
    aud: { oneOf: [STRING, arrayOf(STRING)] },
  },
  ['active', 'scope', 'client_id', 'sub', 'iss'],
);

const INTROSPECTION: Schema = {
  title: 'Introspection',
  description: 'The state of a token (RFC 7662 §2.2).',
  oneOf: [INACTIVE, ACTIVE],
};

/** Which encodings of a body this server reads. */
export interface BodyOptions {
  readonly jsonTokenRequests: boolean;
}

function body(schema: Schema, { jsonTokenRequests }: BodyOptions): Content {
  return {
    'application/x-www-form-urlencoded': { schema },
    ...(jsonTokenRequests ? { 'application/json': { schema } } : {}),
  };
}

const COMMON = { method: 'POST', tag: 'OAuth', publicSecurity: CLIENT_AUTHENTICATION } as const;

export function tokenOperation(options: BodyOptions & { readonly grantTypes: readonly string[] }): Operation {
  return {
    ...COMMON,
    path: '/o/token/',
    id: 'issueToken',
    summary: 'Get an access token (RFC 6749 §3.2)',
    body: body({ oneOf: options.grantTypes.flatMap((name) => GRANT_REQUESTS[name] ?? []) }, options),
    responses: {
      200: { description: 'The token.', headers: NO_CACHE, content: json(TOKEN_RESPONSE) },
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
    body: body(TOKEN_QUERY, options),
    responses: {
      200: { description: 'The token is invalid now, or was invalid already.', headers: NO_CACHE },
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
    description: 'For confidential clients, and for callers with an access token that has the scope `introspection`.',
    publicSecurity: [...CLIENT_AUTHENTICATION, { [SCHEME_NAMES.token]: ['introspection'] }],
    body: body(TOKEN_QUERY, options),
    responses: {
      200: { description: 'The state of the token.', headers: NO_CACHE, content: json(INTROSPECTION) },
      ...CLIENT_ERRORS,
    },
  };
}

function query(name: string, description: string, schema: Schema = VALUE, required = false): Parameter {
  return { name, in: 'query', description, schema, ...(required ? { required } : {}) };
}

const PAGE: Content = { 'text/html': { schema: STRING } };

/** @param pkceMethods the values of `code_challenge_method` */
export function authorizeOperation(pkceMethods: readonly string[]): Operation {
  return {
    method: 'GET',
    path: '/o/authorize/',
    id: 'authorize',
    tag: 'OAuth',
    publicSecurity: [],
    summary: 'Send users here for an authorization code (RFC 6749 §3.1)',
    description: 'For browsers, not for programs. Users log in, if necessary, and give consent.',
    parameters: [
      query('response_type', 'The requested response.', { const: 'code' }, true),
      query('client_id', 'The id of the application.', VALUE, true),
      query('redirect_uri', 'A registered URI. May be omitted if exactly one is registered.', {
        ...VALUE,
        format: 'uri',
      }),
      query('scope', 'Names, separated by spaces.'),
      query('state', 'Returned unchanged.', { ...VALUE, maxLength: 4096 }),
      query('code_challenge', 'RFC 7636.', {
        type: 'string',
        pattern: pkceMethods.includes('plain') ? '^[A-Za-z0-9_.~-]{43,128}$' : '^[A-Za-z0-9_-]{43}$',
      }),
      query('code_challenge_method', 'How the challenge was derived from the verifier.', { enum: pkceMethods }),
      query('response_mode', 'How the response reaches the application.', { enum: RESPONSE_MODES }),
      query('prompt', '`none`, or any of `login`, `consent` and `select_account`.'),
      query('max_age', 'The maximum age of the login, in seconds.', {
        type: 'integer',
        minimum: 0,
        maximum: 9_999_999_999,
      }),
      query(
        'approval_prompt',
        'With `auto`, earlier consent suffices. With any other value, the user is asked again. The default is a ' +
          'setting.',
        { ...VALUE, examples: ['auto', 'force'] },
      ),
      query('nonce', 'Returned in the ID token (OpenID Connect).', { ...VALUE, maxLength: 512 }),
      query('claims', 'Single claims, as JSON (OpenID Connect Core §5.5).', { ...VALUE, maxLength: 4096 }),
      query('id_token_hint', 'An earlier ID token, of the user who should log in.'),
      query('login_hint', 'A user name for the login page.'),
      query('acr_values', 'The preferred classes of login: `pwd`, `phr`.'),
      query('display', 'Ignored: the pages adapt to every size.'),
      query('ui_locales', 'Ignored: the pages are in English.'),
      query('claims_locales', 'Ignored: claims are as users entered them.'),
      query(
        'resource',
        'The resource servers at which the tokens will be used (RFC 8707).',
        arrayOf({ ...VALUE, format: 'uri' }),
      ),
    ],
    responses: {
      200: { description: 'The consent page.', content: PAGE },
      302: {
        description: 'To the redirect URI, with `code` or `error`, and with `state` and `iss`; or to the login page.',
        headers: { Location: header('The next address.', { type: 'string', format: 'uri-reference' }) },
        content: { ...PAGE, 'text/plain': { schema: STRING } },
      },
      400: {
        ...BAD_REQUEST,
        description: 'The client or its redirect URI is unknown, so the browser is not redirected.',
        content: { ...PAGE, ...BAD_REQUEST.content },
      },
      ...SERVER_ERRORS,
    },
  };
}
