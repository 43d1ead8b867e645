import {
  BAD_REQUEST,
  ERROR,
  FORM_ERRORS,
  header,
  json,
  arrayOf,
  NOT_FOUND,
  object,
  SERVER_ERRORS,
  STRING,
  TOO_MANY_REQUESTS,
} from './shared-responses.ts';
import { FORM } from '../media-types.ts';
import type { ApiResponse, Operation, Parameter, Schema } from './operation.ts';

// The sample API: see http/api/users.ts and http/api/groups.ts.

const USER: Schema = {
  title: 'User',
  ...object({ username: STRING, email: STRING, first_name: STRING, last_name: STRING }),
};
const GROUP: Schema = { title: 'Group', ...object({ name: STRING }) };
const FIELD_ERRORS: Schema = {
  title: 'FieldErrors',
  description: 'Error messages, by field.',
  type: 'object',
  minProperties: 1,
  additionalProperties: arrayOf(STRING),
};

const NEW_USER: Schema = {
  title: 'NewUser',
  type: 'object',
  properties: {
    username: {
      type: 'string',
      minLength: 1,
      maxLength: 150,
      description: 'Unique, ignoring case.',
    },
    password: { type: 'string', minLength: 1, maxLength: 1024, writeOnly: true },
    email: { type: 'string', maxLength: 254 },
    first_name: { type: 'string', maxLength: 150 },
    last_name: { type: 'string', maxLength: 150 },
  },
  required: ['username', 'password'],
};

const PAGE: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'The maximum number of entries. A page never has more than 1000.',
    schema: { type: 'integer', minimum: 1, maximum: 999_999_999, default: 100 },
  },
  {
    name: 'after',
    in: 'query',
    description: 'The id of the last entry on the previous page, as in the URL of its `Link` header.',
    schema: { type: 'integer', minimum: 0, maximum: 999_999_999, default: 0 },
  },
];

const NEXT = {
  Link: {
    ...header('The URL of the next page, with `rel="next"`. Absent on the last page.', {
      type: 'string',
      pattern: '; rel="next"$',
    }),
    required: false,
  },
};

function listResponses(description: string, schema: Schema): Readonly<Record<number, ApiResponse>> {
  return {
    200: { description, headers: NEXT, content: json(arrayOf(schema)) },
    400: BAD_REQUEST,
    ...SERVER_ERRORS,
  };
}

const TAG = 'Sample API';
export const LIST_USERS: Operation = {
  method: 'GET',
  path: '/users/',
  id: 'listUsers',
  tag: TAG,
  effect: 'effect.see-users',
  summary: 'List users',
  parameters: PAGE,
  responses: listResponses('A page of users, oldest first.', USER),
};

export const CREATE_USER: Operation = {
  method: 'POST',
  path: '/users/',
  id: 'createUser',
  tag: TAG,
  effect: 'effect.create-users',
  summary: 'Create a user',
  body: { [FORM]: { schema: NEW_USER } },
  responses: {
    201: { description: 'The new user.', content: json(USER) },
    400: {
      description: 'Fields are invalid, or the form cannot be read.',
      content: json({ oneOf: [ERROR, FIELD_ERRORS] }),
    },
    ...FORM_ERRORS,
    429: TOO_MANY_REQUESTS,
    ...SERVER_ERRORS,
  },
};

export const READ_USER: Operation = {
  method: 'GET',
  path: '/users/{pk}/',
  id: 'readUser',
  tag: TAG,
  effect: 'effect.see-users',
  summary: 'Read a user',
  parameters: [
    {
      name: 'pk',
      in: 'path',
      required: true,
      description: 'The id of the user.',
      schema: { type: 'string', pattern: '^[0-9]{1,9}$' },
    },
  ],
  responses: {
    200: { description: 'The user.', content: json(USER) },
    400: BAD_REQUEST,
    404: NOT_FOUND,
    ...SERVER_ERRORS,
  },
};

export const LIST_GROUPS: Operation = {
  method: 'GET',
  path: '/groups/',
  id: 'listGroups',
  tag: TAG,
  effect: 'effect.see-groups',
  summary: 'List groups',
  parameters: PAGE,
  responses: listResponses('A page of groups, oldest first.', GROUP),
};
