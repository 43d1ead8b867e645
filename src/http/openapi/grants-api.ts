import type { Operation, Parameter } from './operation.ts';
import {
  arrayOf,
  BAD_REQUEST,
  INSUFFICIENT_SCOPE,
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

const ERRORS = { 400: BAD_REQUEST, 401: UNAUTHENTICATED, 403: INSUFFICIENT_SCOPE, 404: NOT_FOUND, ...SERVER_ERRORS };

export const QUERY_GRANT: Operation = {
  method: 'GET',
  path: '/o/grants/{id}/',
  id: 'queryGrant',
  tag: 'OAuth',
  summary: 'Find out what a grant allows (FAPI Grant Management §6.4)',
  description: 'Needs a token that the client got for itself. Other clients’ grants and ended grants get 404.',
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
                    description: 'Absent if the scope applies to all resources.',
                  },
                },
                ['scope'],
              ),
            ),
            claims: { ...arrayOf(STRING), description: 'Claims in addition to those of the scope.' },
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
  summary: 'End a grant with all its tokens (FAPI Grant Management §6.5)',
  description: 'Also ends the grants that were exchanged from its tokens.',
  parameters: [ID],
  responses: { 204: { description: 'Ended.' }, ...ERRORS },
};
