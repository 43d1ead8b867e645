import { STRING } from '../../openapi/shared-responses.ts';
import type { ManagementRow } from '../row.ts';
import { BOOLEAN, COUNT, fields, INTEGER_OR_NULL, namedObject, STRINGS } from '../schemas.ts';

const DESCRIPTION = 'Changes nothing. If `exact` is false, the counts are lower bounds.';

/** Operations that forecast the effects of a removal, so that clients can ask their users for confirmation first. */
export const REMOVAL_ROWS: readonly ManagementRow[] = [
  {
    operation: 'client forecast',
    method: 'GET',
    path: '/clients/{id}/forecast',
    id: 'forecastClientRemoval',
    summary: 'Count the users, grants and tokens that depend on a client',
    description: `${DESCRIPTION} \`tokens_at_most\` is always an upper bound, or null if none is known.`,
    fromPath: { id: 'clientId' },
    response: {
      kind: 'one',
      schema: namedObject('ManagedClientRemoval', {
        ...fields(['client_id', 'name'], STRING),
        ...fields(['users', 'grants', 'exchange_policies', 'trusted_issuers'], COUNT),
        exact: BOOLEAN,
        tokens_at_most: INTEGER_OR_NULL,
        owners: STRINGS,
      }),
    },
  },
  {
    operation: 'resource forecast',
    method: 'GET',
    path: '/resource-servers/{uri}/forecast',
    id: 'forecastResourceServerRemoval',
    summary: 'Count the applications, grants and tokens that depend on a resource server',
    description: DESCRIPTION,
    fromPath: { uri: 'uri' },
    response: {
      kind: 'one',
      schema: namedObject('ManagedResourceServerRemoval', {
        uri: STRING,
        ...fields(['scopes', 'applications', 'grants', 'tokens', 'ending_tokens'], COUNT),
        ...fields(['exchange_policies', 'trusted_issuers'], COUNT),
        exact: BOOLEAN,
      }),
    },
    isSlow: true,
  },
  {
    operation: 'trusted-issuer forecast',
    method: 'GET',
    path: '/trusted-issuers/{uri}/forecast',
    id: 'forecastTrustedIssuerRemoval',
    summary: 'Count the applications, users, grants and tokens that depend on a trusted issuer',
    description: DESCRIPTION,
    fromPath: { uri: 'issuer' },
    response: {
      kind: 'one',
      schema: namedObject('ManagedTrustedIssuerRemoval', {
        issuer: STRING,
        ...fields(['applications', 'users', 'grants', 'tokens'], COUNT),
        exact: BOOLEAN,
      }),
    },
    isSlow: true,
  },
  {
    operation: 'provider forecast',
    method: 'GET',
    path: '/providers/{provider}/forecast',
    id: 'forecastProviderRemoval',
    summary: 'Count the users who log in through a provider, and those who could no longer log in without it',
    description: 'Changes nothing.',
    fromPath: { provider: 'providerId' },
    response: {
      kind: 'one',
      schema: namedObject('ManagedProviderRemoval', {
        provider_id: STRING,
        ...fields(['linked_accounts', 'users', 'locked_out'], COUNT),
        turns_passwords_on: {
          type: 'boolean',
          description: 'Whether passwords would work again, because no other enabled provider is required.',
        },
        leaves_no_administrator: {
          type: 'boolean',
          description: 'Whether no administrator could log in after the removal. If so, this API refuses the removal.',
        },
      }),
    },
  },
];
