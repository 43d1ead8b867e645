import type { ApiResponse, Operation, Parameter } from './operation.ts';
import {
  arrayOf,
  BAD_REQUEST,
  INSUFFICIENT_SCOPE_BODY,
  json,
  NOT_FOUND,
  object,
  SERVER_ERRORS,
  STRING,
  UNAUTHENTICATED,
} from './shared-responses.ts';

// A client's grants: see http/protocol/grants.ts.

const ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `grant_id` of a token response.',
  schema: { ...STRING, pattern: '^[A-Za-z0-9_-]{22}$' },
};

/** A user's token has no challenge, because no scope would make it sufficient. */
const FORBIDDEN: ApiResponse = {
  description: 'The access token lacks the scope, or the client obtained it from a user.',
  headers: {
    'WWW-Authenticate': { description: 'The sufficient scope. Absent for a user’s token.', schema: STRING },
  },
  content: json({ oneOf: [INSUFFICIENT_SCOPE_BODY, object({ detail: STRING })] }),
};

const ERRORS = { 400: BAD_REQUEST, 401: UNAUTHENTICATED, 403: FORBIDDEN, 404: NOT_FOUND, ...SERVER_ERRORS };

export const QUERY_GRANT: Operation = {
  method: 'GET',
  path: '/o/grants/{id}/',
  id: 'queryGrant',
  tag: 'OAuth',
  summary: 'Query a grant (FAPI Grant Management §6.4)',
  description:
    'Requires an access token that the client obtained for itself. Responds with 404 to requests about ended grants ' +
    'and other clients’ grants.',
  parameters: [ID],
  responses: {
    200: {
      description: 'The grant.',
      content: json({
        title: 'Grant',
        ...object(
          {
            scopes: arrayOf(
              object(
                {
                  scope: STRING,
                  resource: {
                    ...arrayOf({ ...STRING, format: 'uri' }),
                    description: 'Absent if the scope applies to all resource servers.',
                  },
                },
                ['scope'],
              ),
            ),
            claims: {
              ...arrayOf(STRING),
              description: 'The names of the claims granted in addition to those of the scope.',
            },
            authorization_details: arrayOf({ type: 'object' }),
          },
          ['scopes'],
        ),
      }),
    },
    ...ERRORS,
  },
};

export const REVOKE_GRANT: Operation = {
  method: 'DELETE',
  path: '/o/grants/{id}/',
  id: 'revokeGrant',
  tag: 'OAuth',
  summary: 'Revoke a grant and all its tokens (FAPI Grant Management §6.5)',
  description: 'Also ends the grants that resulted from exchanging its tokens.',
  parameters: [ID],
  responses: { 204: { description: 'The grant has ended.' }, ...ERRORS },
};
