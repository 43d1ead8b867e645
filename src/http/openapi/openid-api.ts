import { BAD_REQUEST, header, object, SERVER_ERRORS, STRING } from './shared-responses.ts';
import { clientErrors } from './oauth-api.ts';
import type { ApiResponse, Content, Operation, Parameter, Schema } from './operation.ts';

// See http/protocol/userinfo.ts and http/pages/logout.

const USERINFO: Schema = {
  title: 'Userinfo',
  description:
    'The claims of the scope, and the claims that the client requested by name. Claims without a value are omitted.',
  ...object({ sub: { ...STRING, description: 'Identifies the user, as in ID tokens.' } }, ['sub']),
  additionalProperties: true,
};

const CLAIMS: ApiResponse = {
  description: 'The claims, as JSON, or as a signed JWT if the client has registered `userinfo_signed_response_alg`.',
  content: { 'application/json': { schema: USERINFO }, 'application/jwt': { schema: STRING } },
};

/** The errors from reading the body. */
const FORM_ERRORS = clientErrors(400, 413, 415);

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
  description: 'The body may contain `access_token` (RFC 6750 §2.2), unless the request has an `Authorization` header.',
  responses: { ...COMMON.responses, ...FORM_ERRORS },
};

const TEXT: Schema = { type: 'string', minLength: 1 };
const PAGE: Content = { 'text/html': { schema: STRING } };

const LOGOUT_PARAMETERS = {
  id_token_hint: {
    ...TEXT,
    description: 'An ID token that the application received for the user. Without it, the user has to confirm.',
  },
  client_id: { ...TEXT, description: 'The id of the application. Not needed with `id_token_hint`.' },
  post_logout_redirect_uri: { ...TEXT, format: 'uri', description: 'A registered post-logout redirect URI.' },
  state: { ...TEXT, maxLength: 4096, description: 'Returned unchanged.' },
  logout_hint: { ...TEXT, description: 'Ignored: a browser has at most one session.' },
  ui_locales: {
    ...TEXT,
    description:
      'The languages that the user prefers, such as “de en”. A language that the user chose in this browser takes ' +
      'precedence.',
  },
} as const;

const LOGOUT = { path: '/o/logout/', tag: 'OAuth', publicSecurity: [] } as const;

const REFUSED: ApiResponse = {
  ...BAD_REQUEST,
  description: 'The hint, client or redirect URI is invalid, so the browser is not redirected.',
  content: { ...PAGE, ...BAD_REQUEST.content },
};

const redirectResponse = (description: string): ApiResponse => ({
  description,
  headers: { Location: header('The URL to go to next.', { type: 'string', format: 'uri-reference' }) },
  content: { ...PAGE, 'text/plain': { schema: STRING } },
});

export const LOG_OUT: Operation = {
  ...LOGOUT,
  method: 'GET',
  id: 'logOut',
  summary: 'Send users here to log out (OpenID Connect RP-Initiated Logout)',
  description: 'For browsers, not for API clients. The parameters may also be posted as a form.',
  parameters: Object.entries(LOGOUT_PARAMETERS).map(([name, { description, ...schema }]): Parameter => ({
    name,
    in: 'query',
    description,
    schema,
  })),
  responses: {
    200: { description: 'A page that asks for confirmation, or says that the user is logged out.', content: PAGE },
    302: redirectResponse('A redirect to the registered URI or, if the request has none, to this endpoint.'),
    400: REFUSED,
    ...SERVER_ERRORS,
  },
};
