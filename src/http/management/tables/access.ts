import { STRING } from '../../openapi/shared-responses.ts';
import type { ManagementRow } from '../row.ts';
import { fields, INTEGER, namedObject, STRING_OR_NULL, STRINGS, TIME, TIME_OR_NULL } from '../schemas.ts';

const SESSION = namedObject('ManagedSession', {
  id: STRING,
  username: STRING,
  ...fields(['started_at', 'last_used_at', 'expires_at'], TIME),
  browser: STRING_OR_NULL,
});
const USER_SESSION = namedObject('ManagedSessionOfUser', {
  id: STRING,
  ...fields(['started_at', 'last_used_at', 'expires_at'], TIME),
  ...fields(['login', 'browser'], STRING_OR_NULL),
  applications: STRINGS,
  ending: STRINGS,
});
const AGENT = namedObject('ManagedAgent', {
  client_id: STRING,
  name: STRING,
  ...fields(['runs_on', 'resources', 'scope'], STRINGS),
  since: TIME,
  last_used_at: TIME,
});
const GRANT = namedObject('ManagedGrant', {
  ...fields(['id', 'username', 'client_id'], STRING),
  application: STRING_OR_NULL,
  scope: STRINGS,
  resources: STRINGS,
  granted_at: TIME,
  expires_at: TIME_OR_NULL,
});

const BY_NAME = { fromPath: { username: 'username' } } as const;

/** Operations on the current access of users and applications: sessions, grants and agents. */
export const ACCESS_ROWS: readonly ManagementRow[] = [
  {
    ...BY_NAME,
    operation: 'user sessions',
    method: 'GET',
    path: '/users/{username}/sessions',
    id: 'listSessionsOfUser',
    summary: "List a user's open sessions, with the applications used in them",
    response: { kind: 'list', item: USER_SESSION, key: ['id'] },
  },
  {
    ...BY_NAME,
    operation: 'user logout',
    method: 'POST',
    path: '/users/{username}/sign-out',
    id: 'signOutUser',
    summary: "End all of a user's sessions, or one of them",
    body: {},
    response: { kind: 'one', schema: namedObject('ManagedSignOut', { id: INTEGER, username: STRING }) },
    example: {},
  },
  {
    ...BY_NAME,
    operation: 'user agents',
    method: 'GET',
    path: '/users/{username}/agents',
    id: 'listAgents',
    summary: 'List the agents that act for a user',
    response: { kind: 'list', item: AGENT, key: ['client_id'] },
  },
  {
    ...BY_NAME,
    operation: 'user end-agents',
    method: 'POST',
    path: '/users/{username}/end-agents',
    id: 'endAgents',
    summary: "End the access of all of a user's agents, or of one of them",
    body: {},
    response: {
      kind: 'one',
      schema: namedObject('ManagedEndedAgents', { id: INTEGER, username: STRING, ended: STRINGS }),
    },
    example: {},
  },
  {
    operation: 'session list',
    method: 'GET',
    path: '/sessions',
    id: 'listSessions',
    summary: 'List the open sessions of all users, or of one user',
    fromQuery: { user: { member: 'username', kind: 'text' } },
    response: { kind: 'list', item: SESSION, key: ['id', 'username'] },
  },
  {
    operation: 'session end',
    method: 'DELETE',
    path: '/sessions/{id}',
    id: 'endSession',
    summary: 'End a session and revoke the access that depends on it',
    fromPath: { id: 'id' },
    response: { kind: 'none' },
  },
  {
    operation: 'grant list',
    method: 'GET',
    path: '/grants',
    id: 'listGrants',
    summary: 'List the access that users have given to applications',
    fromQuery: { user: { member: 'username', kind: 'text' }, client: { member: 'clientId', kind: 'text' } },
    response: { kind: 'list', item: GRANT, key: ['id'] },
  },
  {
    operation: 'grant revoke',
    method: 'DELETE',
    path: '/grants/{id}',
    id: 'revokeGrantOfUser',
    summary: "Revoke a user's grant and all its tokens",
    fromPath: { id: 'id' },
    response: { kind: 'none' },
  },
  {
    ...BY_NAME,
    operation: 'grant revoke-all',
    method: 'POST',
    path: '/users/{username}/revoke-grants',
    id: 'revokeGrantsOfUser',
    summary: 'Revoke all grants of a user, or only those to one application, and all their tokens',
    body: {},
    response: {
      kind: 'one',
      schema: namedObject('ManagedRevokedGrants', { username: STRING, client_id: STRING_OR_NULL, revoked: INTEGER }),
    },
    example: {},
  },
];
