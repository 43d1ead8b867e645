import type { ApiResponse, Content, Header, Schema } from './operation.ts';

// Schemas, headers and responses that several operations share.

export const STRING: Schema = { type: 'string' };

export function object(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function arrayOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function json(schema: Schema): Content {
  return { 'application/json': { schema } };
}

export function header(description: string, schema: Schema = STRING): Header {
  return { description, required: true, schema };
}

export function cacheControl(description: string, pattern: string): { readonly 'Cache-Control': Header } {
  return { 'Cache-Control': header(description, { type: 'string', pattern }) };
}

/** The header of public documents, which scripts from any origin may read. */
export const ANY_ORIGIN = {
  'Access-Control-Allow-Origin': header('Scripts from any origin may read the response.', { const: '*' }),
};

export const RETRY_AFTER = {
  'Retry-After': header('Seconds to wait before another attempt.', { type: 'string', pattern: '^[1-9][0-9]*$' }),
};

export const ERROR: Schema = {
  title: 'Error',
  ...object(
    {
      detail: STRING,
      request_id: {
        type: 'string',
        description: 'The `X-Request-Id`, if the error is not specific to the operation.',
      },
    },
    ['detail'],
  ),
};

export const NOT_FOUND: ApiResponse = {
  name: 'NotFound',
  description: 'The resource does not exist.',
  content: json(ERROR),
};

export const UNEXPECTED: ApiResponse = {
  name: 'Unexpected',
  description: 'The server failed unexpectedly.',
  content: json(ERROR),
};
const UNAVAILABLE: ApiResponse = {
  name: 'Unavailable',
  headers: RETRY_AFTER,
  content: json(ERROR),
  description: 'The server cannot read or write the event log, or too many passwords are waiting to be hashed.',
};

/** Errors that are not the caller's fault. */
export const SERVER_ERRORS: Readonly<Record<number, ApiResponse>> = { 500: UNEXPECTED, 503: UNAVAILABLE };

/** The URL has malformed percent-encoding, or a parameter is invalid. */
export const BAD_REQUEST: ApiResponse = {
  name: 'BadRequest',
  description: 'A parameter or the URL is malformed.',
  content: json(ERROR),
};

/** The errors that reading a form can cause, except for 400. */
export const FORM_ERRORS: Readonly<Record<number, ApiResponse>> = {
  413: { name: 'TooLarge', description: 'The body is too large.', content: json(ERROR) },
  415: {
    name: 'UnsupportedType',
    description: 'The body is not a form, is compressed, or declares a charset that is not accepted.',
    content: json(ERROR),
  },
};

export const TOO_MANY_REQUESTS: ApiResponse = {
  name: 'TooMany',
  description: 'Too many requests from this caller.',
  headers: RETRY_AFTER,
  content: json(ERROR),
};

/** A policy's response to a request without a valid token (RFC 6750 §3). */
export const UNAUTHENTICATED: ApiResponse = {
  name: 'Unauthenticated',
  description: 'The request has no valid access token.',
  headers: {
    'WWW-Authenticate': header(
      'The authentication challenge, with `error="invalid_token"` if the token is unknown, expired or revoked.',
      {
        type: 'string',
        pattern: '^(?:Bearer|DPoP) realm="[^"]*"',
      },
    ),
  },
  content: json(object({ detail: STRING })),
};

export const INSUFFICIENT_SCOPE_BODY: Schema = object(
  {
    detail: STRING,
    required_scopes: { ...arrayOf(STRING), description: 'The shortest sufficient list of scopes.' },
    required_alternate_scopes: {
      ...arrayOf(arrayOf(STRING)),
      description: 'All sufficient lists of scopes, if there are several.',
    },
  },
  ['detail', 'required_scopes'],
);

export const INSUFFICIENT_SCOPE: ApiResponse = {
  name: 'InsufficientScope',
  description: 'The access token lacks required scopes.',
  headers: {
    'WWW-Authenticate': header('The scopes that are sufficient, and the URL of the API’s metadata (RFC 9728).', {
      type: 'string',
      pattern: '^(?:Bearer|DPoP) error="insufficient_scope", scope="[^"]*"(?:, resource_metadata="[^"]*")?$',
    }),
  },
  content: json(INSUFFICIENT_SCOPE_BODY),
};
