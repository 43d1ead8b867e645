import { STRING } from '../../openapi/shared-responses.ts';
import type { ManagementRow } from '../row.ts';
import { BOOLEAN, COUNT, fields, INTEGER_OR_NULL, namedObject, STRINGS } from '../schemas.ts';

const DESCRIPTION = 'Changes nothing. If `exact` is false, the counts are lower bounds.';

/** Operations that count what a removal would end, so that clients can ask for confirmation first. */
export const REMOVAL_ROWS: readonly ManagementRow[] = [
  {
    operation: 'client forecast',
    method: 'GET',
    path: '/clients/{id}/forecast',
    id: 'forecastClientRemoval',
    summary: 'Count what would end with the removal of a client',
    description: DESCRIPTION,
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
    summary: 'Count what refers to a resource server, and what would end with its removal',
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
    summary: 'Count what came from a trusted issuer and would end if it were no longer trusted',
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
          description: 'Whether passwords work again, because no other enabled provider is required.',
        },
        leaves_no_administrator: {
          type: 'boolean',
          description: 'Whether the removal would leave no administrator able to log in. If so, this API refuses it.',
        },
      }),
    },
  },
];
