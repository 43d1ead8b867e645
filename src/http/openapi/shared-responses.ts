import type { ApiResponse, Content, Header, Schema } from './operation.ts';

/** Schemas, headers and answers that many operations share. */

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

/** What says the same to anybody may be read by scripts of any origin. */
export const ANY_ORIGIN = {
  'Access-Control-Allow-Origin': header('Scripts of any origin may read it.', { const: '*' }),
};

export const RETRY_AFTER = {
  'Retry-After': header('Seconds until it is worth another try.', { type: 'string', pattern: '^[1-9][0-9]*$' }),
};

export const ERROR: Schema = {
  title: 'Error',
  ...object(
    {
      detail: STRING,
      request_id: {
        type: 'string',
        description: 'The `X-Request-Id`, where the server itself and not the operation answers.',
      },
    },
    ['detail'],
  ),
};

export const NOT_FOUND: ApiResponse = {
  name: 'NotFound',
  description: 'There is no such thing.',
  content: json(ERROR),
};

export const UNEXPECTED: ApiResponse = {
  name: 'Unexpected',
  description: 'The server met an error that it did not expect.',
  content: json(ERROR),
};
const UNAVAILABLE: ApiResponse = {
  name: 'Unavailable',
  headers: RETRY_AFTER,
  content: json(ERROR),
  description: 'Nothing can be recorded at the moment, or more passwords wait to be hashed than can be in time.',
};

/** What nobody can do anything about. */
export const SERVER_ERRORS: Readonly<Record<number, ApiResponse>> = { 500: UNEXPECTED, 503: UNAVAILABLE };

/** Of an address with malformed percent-encoding, or of parameters that are none. */
export const BAD_REQUEST: ApiResponse = {
  name: 'BadRequest',
  description: 'A parameter, or the address, is malformed.',
  content: json(ERROR),
};

/** What reading a form can end with, beside 400. */
export const FORM_ERRORS: Readonly<Record<number, ApiResponse>> = {
  413: { name: 'TooLarge', description: 'The body is too large.', content: json(ERROR) },
  415: { name: 'UnsupportedType', description: 'The body is no form in UTF-8.', content: json(ERROR) },
};

export const TOO_MANY_REQUESTS: ApiResponse = {
  name: 'TooMany',
  description: 'The caller has asked for this too often.',
  headers: RETRY_AFTER,
  content: json(ERROR),
};

/** RFC 6750 §3, as the policies answer. */
export const UNAUTHENTICATED: ApiResponse = {
  name: 'Unauthenticated',
  description: 'No live access token came along.',
  headers: {
    'WWW-Authenticate': header('How to authenticate; `error="invalid_token"` for a token that is dead.', {
      type: 'string',
      pattern: '^Bearer realm="[^"]*"',
    }),
  },
  content: json(object({ detail: STRING })),
};

export const INSUFFICIENT_SCOPE: ApiResponse = {
  name: 'InsufficientScope',
  description: 'The access token lacks scopes.',
  headers: {
    'WWW-Authenticate': header('The scopes that would do.', {
      type: 'string',
      pattern: '^Bearer error="insufficient_scope", scope="[^"]*"$',
    }),
  },
  content: json(
    object(
      {
        detail: STRING,
        required_scopes: { ...arrayOf(STRING), description: 'A shortest list that would do.' },
        required_alternate_scopes: {
          ...arrayOf(arrayOf(STRING)),
          description: 'All lists of which one would do, where there are several.',
        },
      },
      ['detail', 'required_scopes'],
    ),
  ),
};
