import { PATH_PARAMETERS, type PathParameter } from '../../config/input-limits.ts';
import type { Operation, Parameter, Schema, ApiResponse } from '../openapi/operation.ts';
import { arrayOf, header, json, object, RETRY_AFTER, STRING } from '../openapi/shared-responses.ts';
import { isPaged } from './row-handler.ts';
import { withApiNames, toSnakeCase } from './naming.ts';
import { MAX_LIMIT } from './paging.ts';
import { bodySchemaFor, inputJsonSchemaFor } from './request-input.ts';
import { PREFIX, type ManagementRow } from './row.ts';
import { isConditional, isVersioned } from './version.ts';

const ERROR: Schema = {
  title: 'ManagementError',
  ...object(
    {
      error: STRING,
      error_description: STRING,
      fields: {
        ...arrayOf(object({ field: STRING, problem: STRING })),
        description: 'The invalid members.',
      },
      required_scopes: arrayOf(STRING),
      request_id: STRING,
    },
    ['error', 'error_description'],
  ),
};

function problemResponse(name: string, description: string, headers: ApiResponse['headers'] = {}): ApiResponse {
  return { name: `Management${name}`, description, headers, content: json(ERROR) };
}

const CHALLENGE = { 'WWW-Authenticate': header('The authentication challenge (RFC 6750 §3).') };

const COMMON_ERRORS: Readonly<Record<number, ApiResponse>> = {
  400: problemResponse('Invalid', 'A value is invalid. `fields` lists the invalid members.'),
  401: problemResponse('Unauthenticated', 'The request has no valid access token.', CHALLENGE),
  403: problemResponse(
    'Forbidden',
    'The token lacks the `admin` scope, or this API does not permit the change: see the description of the operation.',
    {
      'WWW-Authenticate': { ...CHALLENGE['WWW-Authenticate'], required: false },
    },
  ),
  404: problemResponse('Unknown', 'The resource does not exist.'),
  412: problemResponse('Changed', 'The resource has changed since it was read, does not exist, or has no version.'),
  429: problemResponse('TooMany', 'Too many requests from this client.', RETRY_AFTER),
  431: {
    description:
      'A header is too long. If the entire request head is too long, the response has neither body nor these headers.',
    name: 'ManagementTooLong',
    headers: {
      'X-Request-Id': { ...header('The id of this request.'), required: false },
      'Cache-Control': { ...header('Always `no-store`.'), required: false },
    },
  },
  500: problemResponse('Unexpected', 'An unexpected error occurred.'),
  503: problemResponse(
    'Unavailable',
    'The server cannot record changes, or too many requests are waiting.',
    RETRY_AFTER,
  ),
};

const CHANGE_ERRORS: Readonly<Record<number, ApiResponse>> = {
  409: problemResponse('Conflict', 'The current state does not allow the operation.'),
};
const BODY_ERRORS: Readonly<Record<number, ApiResponse>> = {
  413: problemResponse('TooLarge', 'The body is too large.'),
  415: problemResponse(
    'UnsupportedType',
    'The body is not JSON, is compressed, or declares a charset that is not accepted.',
  ),
};
const DONE_LATER: ApiResponse = problemResponse(
  'DoneLater',
  'The change has been recorded and is in effect. The key will be destroyed as soon as the disk is writable.',
);

const CONDITION: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` from an earlier response. If the resource has changed since then, the request is refused with 412.',
  schema: { type: 'string', maxLength: 256, pattern: '^(\\*|(W/)?"[A-Za-z0-9_-]+"(, *(W/)?"[A-Za-z0-9_-]+")*)$' },
};

const PARENT_CONDITION: Parameter = {
  ...CONDITION,
  description:
    'The `ETag` of the resource that this URL belongs to, such as the account or the client. If that resource has ' +
    'changed since then, the request is refused with 412.',
};

const PAGING: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'The maximum number of entries.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: 100 },
  },
  {
    name: 'cursor',
    in: 'query',
    required: false,
    description: 'The value of `next` from the previous page.',
    schema: { type: 'string', pattern: '^[0-9]{1,9}\\.[A-Za-z0-9_-]{16}$' },
  },
];

const ETAG_HEADER = { ETag: { ...header('The version of the resource, for use in `If-Match`.'), required: false } };

/** Returns the OpenAPI operation of a row. Schemas are generated only when the document is requested. */
export function describeRow(row: ManagementRow): Operation {
  const { method, path, id, summary, description, example } = row;
  return {
    method,
    path: `${PREFIX}${path}/`,
    id,
    tag: 'Management',
    summary,
    ...(description === undefined ? {} : { description }),
    get parameters() {
      return describeParameters(row);
    },
    ...(row.body === undefined
      ? {}
      : {
          get body() {
            const schema = withApiNames(bodySchemaFor(row) ?? {});
            return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
          },
        }),
    get responses() {
      return describeResponses(row);
    },
  };
}

function describeParameters(row: ManagementRow): readonly Parameter[] {
  const { properties } = inputJsonSchemaFor(row.operation);
  const path = Object.entries(row.fromPath ?? {}).map(([name, member]) => ({
    name,
    in: 'path' as const,
    required: true,
    description: `The ${toSnakeCase(member).replaceAll('_', ' ')}.`,
    schema: { ...properties[member], minLength: 1, maxLength: PATH_PARAMETERS[name as PathParameter] },
  }));
  const query = Object.entries(row.fromQuery ?? {}).map(([name, { member }]) => ({
    name,
    in: 'query' as const,
    required: false,
    description: `The ${toSnakeCase(member).replaceAll('_', ' ')}.`,
    schema: properties[member] ?? STRING,
  }));
  const conditions =
    row.method === 'GET' ? [] : isVersioned(row) ? [CONDITION] : isConditional(row) ? [PARENT_CONDITION] : [];
  return [...path, ...query, ...(isPaged(row) ? PAGING : []), ...conditions];
}

function describeResponses(row: ManagementRow): Operation['responses'] {
  const { response, method, body } = row;
  const headers = isVersioned(row) ? { headers: ETAG_HEADER } : {};
  const success: Readonly<Record<number, ApiResponse>> =
    response.kind === 'none'
      ? { 204: { description: 'Success.' } }
      : response.kind === 'one'
        ? { [response.status ?? 200]: { description: 'Success.', ...headers, content: json(response.schema) } }
        : { 200: { description: 'A page of the list.', content: json(pageSchema(response)) } };
  return {
    ...success,
    ...(method === 'DELETE' ? { 202: DONE_LATER } : {}),
    ...COMMON_ERRORS,
    ...(method === 'GET' ? {} : CHANGE_ERRORS),
    ...(body === undefined ? {} : BODY_ERRORS),
  };
}

function pageSchema(response: Extract<ManagementRow['response'], { readonly kind: 'list' | 'report' }>): Schema {
  const page = {
    items: arrayOf(response.item),
    total: { type: 'integer', minimum: 0, description: 'The total number of entries.' },
    next: { type: ['string', 'null'], description: 'The `cursor` of the next page; null on the last page.' },
  };
  if (response.kind === 'list') return object(page);
  const { properties } = response.header as { readonly properties: Readonly<Record<string, Schema>> };
  return object({ ...properties, ...page });
}
