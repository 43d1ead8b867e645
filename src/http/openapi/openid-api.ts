import { object, STRING, SERVER_ERRORS } from './shared-responses.ts';
import { CLIENT_ERRORS } from './oauth-api.ts';
import type { ApiResponse, Operation, Schema } from './operation.ts';

/** See http/protocol/userinfo.ts. */

const USERINFO: Schema = {
  title: 'Userinfo',
  description:
    'The claims that the scope gives access to, and those requested by name, if the user has filled them in.',
  ...object({ sub: { ...STRING, description: 'Identifies the user, as in ID tokens.' } }, ['sub']),
  additionalProperties: true,
};

const CLAIMS: ApiResponse = {
  description: 'The claims, as JSON or, if the application is registered so, as a signed JWT.',
  content: { 'application/json': { schema: USERINFO }, 'application/jwt': { schema: STRING } },
};

/** The errors of reading the body. */
const FORM_ERRORS = Object.fromEntries(
  Object.entries(CLIENT_ERRORS).filter(([status]) => ['400', '413', '415'].includes(status)),
);

const COMMON = { path: '/o/userinfo/', tag: 'OAuth', responses: { 200: CLAIMS, ...SERVER_ERRORS } } as const;

export const READ_USERINFO: Operation = {
  ...COMMON,
  method: 'GET',
  id: 'readUserinfo',
  summary: 'Read claims about the user (OpenID Connect Core §5.3)',
};

export const READ_USERINFO_BY_POST: Operation = {
  ...COMMON,
  method: 'POST',
  id: 'readUserinfoByPost',
  summary: 'Read claims about the user, with the token in the header or in the body',
  description: 'The body may contain `access_token` (RFC 6750 §2.2), unless there is an `Authorization` header.',
  responses: { ...COMMON.responses, ...FORM_ERRORS },
};
