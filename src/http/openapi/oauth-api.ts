import { SCHEME_NAMES } from '../../policy/open-api-security.ts';
import { BAD_REQUEST, header, json, arrayOf, object, RETRY_AFTER, SERVER_ERRORS, STRING } from './shared-responses.ts';
import type { ApiResponse, Content, Operation, Parameter, Schema } from './operation.ts';
import { CLIENT_AUTHENTICATION } from './security-schemes.ts';

/** The endpoints of RFC 6749, 7009 and 7662: see routes/protocol.ts and routes/authorize.ts. */

const VALUE: Schema = { type: 'string', minLength: 1 };
const SECRET: Schema = { ...VALUE, writeOnly: true };
const RESOURCE: Schema = {
  ...arrayOf({ ...VALUE, format: 'uri' }),
  description: 'The resource servers that it is to be good for (RFC 8707).',
};
const SCOPE: Schema = {
  ...VALUE,
  description: 'Names, a space between them; a default of the server where it is left out.',
};

/** Where HTTP Basic was not used. */
const CREDENTIALS = { client_id: VALUE, client_secret: SECRET };

const ERROR: Schema = {
  title: 'OAuthError',
  ...object(
    {
      error: { type: 'string', description: 'As in RFC 6749 §5.2.' },
      error_description: { type: 'string', pattern: '^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*$' },
      request_id: { type: 'string', description: 'The `X-Request-Id`, where the server could not answer.' },
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

const CLIENT_ERRORS: Readonly<Record<number, ApiResponse>> = {
  400: oauthErrorResponse('Refused', 'The request is refused.'),
  401: oauthErrorResponse('InvalidClient', 'The client is not who it says, or does not say.', {
    'WWW-Authenticate': header('How to authenticate.', {
      type: 'string',
      pattern: '^(?:Basic|Bearer) realm="grantlog"',
    }),
  }),
  413: oauthErrorResponse('RequestTooLarge', 'The body is too large.'),
  415: oauthErrorResponse('RequestUnreadable', 'The body is of another type, or not plain UTF-8.'),
  429: oauthErrorResponse('TooManyAttempts', 'Too many attempts; also of right passwords.', RETRY_AFTER),
  500: { name: 'ServerError', description: 'The server met an error that it did not expect.', content: json(ERROR) },
  503: {
    name: 'TemporarilyUnavailable',
    headers: RETRY_AFTER,
    content: json(ERROR),
    description: 'Nothing can be recorded at the moment, or more secrets wait to be checked than can be in time.',
  },
};

const TOKEN_RESPONSE: Schema = {
  title: 'TokenResponse',
  ...object(
    {
      access_token: STRING,
      expires_in: { type: 'integer', minimum: 1, description: 'Seconds.' },
      token_type: { const: 'Bearer' },
      scope: { ...STRING, description: 'What was granted; a user may have left out some of what was asked for.' },
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

/** By `grant_type`, what the token endpoint takes. */
const GRANT_REQUESTS: Readonly<Record<string, Schema>> = {
  authorization_code: grantRequest(
    'AuthorizationCodeRequest',
    'authorization_code',
    {
      code: SECRET,
      redirect_uri: { ...VALUE, description: 'As in the authorization request, if it was there.' },
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
    { refresh_token: SECRET, scope: { ...VALUE, description: 'No more than was granted.' } },
    ['refresh_token'],
  ),
};

const TOKEN_QUERY: Schema = {
  title: 'TokenQuestion',
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
  description: 'What the token is good for (RFC 7662 §2.2).',
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
    description: 'Either token ends the whole grant.',
    body: body(TOKEN_QUERY, options),
    responses: {
      200: { description: 'The token is good for nothing, whatever it was before.', headers: NO_CACHE },
      ...CLIENT_ERRORS,
    },
  };
}

export function introspectionOperation(options: BodyOptions): Operation {
  return {
    ...COMMON,
    path: '/o/introspect/',
    id: 'introspectToken',
    summary: 'Ask what a token is good for (RFC 7662)',
    description: 'For confidential clients, and for whoever has a token with the scope introspection.',
    publicSecurity: [...CLIENT_AUTHENTICATION, { [SCHEME_NAMES.token]: ['introspection'] }],
    body: body(TOKEN_QUERY, options),
    responses: {
      200: { description: 'What it is good for.', headers: NO_CACHE, content: json(INTROSPECTION) },
      ...CLIENT_ERRORS,
    },
  };
}

function query(name: string, description: string, schema: Schema = VALUE, required = false): Parameter {
  return { name, in: 'query', description, schema, ...(required ? { required } : {}) };
}

const PAGE: Content = { 'text/html': { schema: STRING } };

/** @param pkceMethods as `code_challenge_method` has them */
export function authorizeOperation(pkceMethods: readonly string[]): Operation {
  return {
    method: 'GET',
    path: '/o/authorize/',
    id: 'authorize',
    tag: 'OAuth',
    publicSecurity: [],
    summary: 'Send a person here for an authorization code (RFC 6749 §3.1)',
    description: 'For browsers, not for programs. Whoever is not logged in is asked to, and then for consent.',
    parameters: [
      query('response_type', 'What is asked for.', { const: 'code' }, true),
      query('client_id', 'Of the application.', VALUE, true),
      query('redirect_uri', 'One that is registered; may be left out where just one is.', { ...VALUE, format: 'uri' }),
      query('scope', 'Names, a space between them.'),
      query('state', 'Comes back unchanged.', { ...VALUE, maxLength: 4096 }),
      query('code_challenge', 'RFC 7636.', {
        type: 'string',
        pattern: pkceMethods.includes('plain') ? '^[A-Za-z0-9_.~-]{43,128}$' : '^[A-Za-z0-9_-]{43}$',
      }),
      query('code_challenge_method', 'How it was made.', { enum: pkceMethods }),
      query('prompt', 'none; or any of login, consent and select_account.'),
      query('max_age', 'The oldest log-in that will do, in seconds.', {
        type: 'integer',
        minimum: 0,
        maximum: 9_999_999_999,
      }),
      query(
        'approval_prompt',
        'With `auto`, consent given before will do; with any other value the user is asked. A setting is the default.',
        { ...VALUE, examples: ['auto', 'force'] },
      ),
      query(
        'resource',
        'The resource servers that the tokens are to be good for (RFC 8707).',
        arrayOf({ ...VALUE, format: 'uri' }),
      ),
    ],
    responses: {
      200: { description: 'A page that asks for consent.', content: PAGE },
      302: {
        description:
          'To the redirect URI with `code`, or with `error`, and with `state` and `iss`; or to log in first.',
        headers: { Location: header('Where to.', { type: 'string', format: 'uri-reference' }) },
        content: { ...PAGE, 'text/plain': { schema: STRING } },
      },
      400: {
        ...BAD_REQUEST,
        description: 'The client or its redirect URI is unknown, so nobody is sent anywhere.',
        content: { ...PAGE, ...BAD_REQUEST.content },
      },
      ...SERVER_ERRORS,
    },
  };
}
