import { arrayOf, STRING } from '../../openapi/shared-responses.ts';
import { forbidPrivilegedSource } from '../privilege-checks.ts';
import type { ManagementRow } from '../row.ts';
import {
  ANY_OBJECT,
  BOOLEAN,
  BOOLEAN_OR_NULL,
  COUNT,
  fields,
  INTEGER,
  INTEGER_OR_NULL,
  namedObject,
  STRING_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../schemas.ts';

const ACCESS = namedObject('ManagedAccess', {
  kind: { type: 'string', enum: ['account', 'membership', 'application', 'grant', 'token'] },
  position: COUNT,
  scope: STRING,
  ...fields(['user', 'user_id', 'group', 'client', 'application', 'resource', 'login'], STRING_OR_NULL),
  ...fields(['expires_at', 'authenticated_at'], INTEGER_OR_NULL),
});
const AFFECTED_GRANT = namedObject('ManagedAffectedGrant', {
  ...fields(['grant', 'is', 'client', 'scope', 'via'], STRING),
  ...fields(['application', 'user', 'user_id', 'resource'], STRING_OR_NULL),
  ...fields(['position', 'tokens'], COUNT),
  expires_at: INTEGER_OR_NULL,
});
const SIGNING_KEY = namedObject('ManagedSigningKey', {
  kid: STRING,
  algorithm: STRING,
  status: { type: 'string', enum: ['signs', 'next', 'past', 'retired'] },
  ...fields(['from', 'until', 'introduced_at'], TIME),
  private_half: STRING_OR_NULL,
  retired_at: TIME_OR_NULL,
  retired: STRING_OR_NULL,
  valid_tokens: arrayOf(namedObject('ManagedKeyUse', { client_id: STRING, name: STRING_OR_NULL, until: TIME })),
});

/** Operations on the log, leaks, refusals, signing keys, mail and the server. */
export const LOG_ROWS: readonly ManagementRow[] = [
  {
    operation: 'log as-of',
    method: 'GET',
    path: '/log/as-of',
    id: 'readAccessAsOf',
    summary: 'List who had access to what at a given time or position',
    description:
      '`time` is in milliseconds since the epoch. For further pages, repeat the parameters, and send the `as_of` of ' +
      'the first page as `position`.',
    fromQuery: {
      position: { member: 'position', kind: 'number' },
      time: { member: 'time', kind: 'number' },
      user: { member: 'user', kind: 'text' },
      client: { member: 'client', kind: 'text' },
      scope: { member: 'scope', kind: 'text' },
    },
    response: {
      kind: 'report',
      header: namedObject('ManagedMoment', { as_of: COUNT, recorded_at: INTEGER_OR_NULL }),
      item: ACCESS,
      key: ['kind', 'position', 'user_id', 'group', 'client', 'scope'],
    },
    isSlow: true,
  },
  {
    operation: 'log chain',
    method: 'POST',
    path: '/log/chain',
    id: 'readChain',
    summary: 'Read the tree of exchanges that contains a grant, identified by its id or a token',
    description: 'Changes nothing. The query is in the body, because it can contain a token.',
    body: { defaults: { limit: 100 } },
    response: {
      kind: 'one',
      schema: namedObject('ManagedChain', {
        ...fields(['as_of', 'at', 'exchanges', 'shown'], COUNT),
        grant: STRING,
        tree: ANY_OBJECT,
      }),
    },
    isSlow: true,
    example: { grant: 'grant-AAAAAAAAAAAAAAAAAAAAAA' },
  },
  {
    operation: 'log blast-radius',
    method: 'POST',
    path: '/log/blast-radius',
    id: 'readBlastRadius',
    summary: 'List the valid grants that came from a leaked token, grant, client, key or session',
    description: 'Changes nothing. The query is in the body, because it can contain a token.',
    body: {},
    response: {
      kind: 'report',
      header: namedObject('ManagedRadius', { as_of: COUNT, at: COUNT }),
      item: AFFECTED_GRANT,
      key: ['grant'],
    },
    isSlow: true,
    example: { client: 'reports' },
  },
  {
    operation: 'log blast-radius end',
    method: 'POST',
    path: '/log/blast-radius/end',
    id: 'endBlastRadius',
    summary: 'Revoke the grants that came from a leaked token, grant, client, key or session, and prevent new ones',
    description:
      'If the source is a client with a secret, each call replaces the secret. Only the response contains the new ' +
      'secret. Refused for the calling client, and for a client with a restricted scope.',
    body: {},
    response: {
      kind: 'one',
      schema: namedObject('ManagedEndedRadius', {
        stopped: STRING,
        problem: STRING_OR_NULL,
        client_secret: STRING_OR_NULL,
        ended: arrayOf(AFFECTED_GRANT),
        left: COUNT,
      }),
    },
    privilegeChecks: [forbidPrivilegedSource],
    isSlow: true,
    example: { grant: 'grant-AAAAAAAAAAAAAAAAAAAAAA' },
  },
  {
    operation: 'why',
    method: 'GET',
    path: '/refusals/{request}',
    id: 'explainRefusal',
    summary: 'Explain why a request was refused, given its `X-Request-Id`',
    fromPath: { request: 'id' },
    response: {
      kind: 'one',
      schema: namedObject('ManagedRefusal', {
        ...fields(['request_id', 'request', 'rule', 'why', 'expected', 'seen', 'advice'], STRING),
        ...fields(['error', 'client_id'], STRING_OR_NULL),
        at: TIME,
        client_proven: BOOLEAN_OR_NULL,
        details: ANY_OBJECT,
      }),
    },
  },
  {
    operation: 'key list',
    method: 'GET',
    path: '/signing-keys',
    id: 'listSigningKeys',
    summary: 'List the signing keys',
    fromQuery: { retired: { member: 'retired', kind: 'boolean' } },
    response: { kind: 'list', item: SIGNING_KEY, key: ['kid'] },
  },
  {
    operation: 'key rotate',
    method: 'POST',
    path: '/signing-keys',
    id: 'rotateSigningKeys',
    summary: 'Introduce new signing keys. They start signing after a day, or immediately with `now`',
    body: {},
    response: { kind: 'one', schema: namedObject('ManagedNewKeys', { keys: arrayOf(SIGNING_KEY) }), status: 201 },
    example: { algorithms: ['ES256'] },
  },
  {
    operation: 'key retire',
    method: 'POST',
    path: '/signing-keys/{key}/retire',
    id: 'retireSigningKey',
    summary: 'Retire a signing key; with `accept_loss`, even if tokens that it signed are still valid',
    fromPath: { key: 'kid' },
    body: { defaults: { acceptLoss: false } },
    response: {
      kind: 'one',
      schema: namedObject('ManagedRetiredKey', {
        kid: STRING,
        algorithm: STRING,
        signs: STRING_OR_NULL,
        invalid_tokens: arrayOf(namedObject('ManagedKeyUse', { client_id: STRING, name: STRING_OR_NULL, until: TIME })),
      }),
    },
    example: {},
  },
  {
    operation: 'mail test',
    method: 'POST',
    path: '/mail/test',
    id: 'sendTestMail',
    summary: 'Send a test e-mail',
    body: {},
    response: { kind: 'one', schema: namedObject('ManagedTestMail', { sent_to: STRING }) },
    isSlow: true,
    example: { address: 'ada@example.org' },
  },
  {
    operation: 'doctor',
    method: 'GET',
    path: '/server',
    id: 'readServerState',
    summary: 'Read the problems that need attention, such as damage, lost keys or a wrong clock',
    response: {
      kind: 'one',
      schema: namedObject('ManagedServerState', {
        checked: INTEGER,
        events: INTEGER,
        is_over: BOOLEAN,
        damages: arrayOf(STRING),
        ...fields(['lost_keys', 'lost_client_keys', 'unsealed_secrets', 'clock_behind'], { type: ['object', 'null'] }),
        administrators: ANY_OBJECT,
        open_files: INTEGER_OR_NULL,
      }),
    },
  },
];
