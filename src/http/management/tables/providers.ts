import { observedProvider } from '../../../domain/streams.ts';
import { STRING } from '../../openapi/shared-responses.ts';
import { forbidPrivilegedProvider } from '../privilege-checks.ts';
import type { ManagementRow } from '../row.ts';
import { BOOLEAN, COUNT, fields, namedObject, STRING_OR_NULL, STRINGS, TIME, TIME_OR_NULL } from '../schemas.ts';

const PROVIDER = namedObject('ManagedProvider', {
  ...fields(['provider_id', 'name', 'preset', 'issuer', 'client_id', 'authentication', 'linking'], STRING),
  ...fields(['tenants', 'scopes', 'domains', 'roles', 'groups', 'second_factor_values'], STRINGS),
  ...fields(['has_secret', 'creates_users', 'required', 'disabled'], BOOLEAN),
  ...fields(['groups_claim', 'redirect_uri'], STRING_OR_NULL),
  linked_accounts: COUNT,
  changed_at: TIME,
  last_login_at: TIME_OR_NULL,
});
const CHECK = namedObject('ManagedProviderCheck', {
  step: { type: 'string', enum: ['metadata', 'keys', 'client'] },
  result: { type: 'string', enum: ['good', 'bad', 'unknown'] },
  text: STRING,
});

const BY_PROVIDER = {
  path: '/providers/{provider}',
  fromPath: { provider: 'providerId' },
  revision: ({ providerId }, { projections }) => {
    const provider = projections.upstreamProviders.find(String(providerId));
    return provider && observedProvider(provider);
  },
} as const satisfies Partial<ManagementRow>;

export const PROVIDER_ROWS: readonly ManagementRow[] = [
  {
    operation: 'provider list',
    method: 'GET',
    path: '/providers',
    id: 'listProviders',
    summary: 'List the providers that users log in through',
    response: { kind: 'list', item: PROVIDER, key: ['provider_id'] },
  },
  {
    ...BY_PROVIDER,
    operation: 'provider show',
    method: 'GET',
    id: 'showProvider',
    summary: 'Read a provider',
    response: { kind: 'one', schema: PROVIDER },
  },
  {
    ...BY_PROVIDER,
    operation: 'provider set',
    method: 'PATCH',
    id: 'setProvider',
    summary: 'Add or update a provider',
    description:
      'Refused for a provider whose groups give roles or that links accounts by e-mail address, and for a change to ' +
      'the issuer of a provider with linked accounts: otherwise, the client could log in as another user. Also ' +
      'refused if no administrator could log in afterwards.',
    body: {},
    response: { kind: 'one', schema: PROVIDER },
    privilegeChecks: [forbidPrivilegedProvider],
    example: { name: 'Company', issuer: 'https://login.example.org', client_id: 'grantlog', secret: 'a secret' },
  },
  {
    operation: 'provider test',
    method: 'POST',
    path: '/providers/{provider}/test',
    id: 'testProvider',
    summary: 'Test the connection to a provider',
    fromPath: { provider: 'providerId' },
    response: { kind: 'list', item: CHECK, key: ['step'] },
    isSlow: true,
  },
  {
    ...BY_PROVIDER,
    operation: 'provider remove',
    method: 'DELETE',
    id: 'removeProvider',
    summary: 'Remove a provider. Users can no longer log in through it',
    description: 'Refused if no administrator could log in afterwards.',
    response: { kind: 'none' },
  },
];
