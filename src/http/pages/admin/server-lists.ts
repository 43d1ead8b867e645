import type { ListedDomain } from '../../../projections/client-domains.ts';
import type { ExchangePolicy } from '../../../projections/exchange-policies.ts';
import type { TrustedIssuer } from '../../../projections/trusted-issuers.ts';
import type { UpstreamProvider } from '../../../projections/upstream-providers.ts';
import { numberColumn, textColumn, timeColumn, type PageList } from '../lists/page-list.ts';

/** The websites that may, or may not, describe applications. */
export const DOMAIN_LIST: PageList<ListedDomain> = {
  noun: ['domain', 'domains'],
  searchLabel: 'Search by domain',
  id: ({ domain }) => domain,
  texts: ({ domain }) => [domain],
  filters: [
    {
      name: 'status',
      title: 'Rule',
      choices: [
        { value: 'allowed', title: 'Allowed', matches: ({ rule }) => rule === 'allowed' },
        { value: 'blocked', title: 'Blocked', matches: ({ rule }) => rule === 'blocked' },
      ],
    },
  ],
  columns: [
    textColumn('domain', 'Domain', ({ domain }) => domain),
    textColumn(
      'rule',
      'Rule',
      ({ rule }) => rule,
      ({ rule }) => ({ text: rule, tone: rule === 'allowed' ? 'good' : 'warning' }),
    ),
    timeColumn('since', 'Since', ({ since }) => since),
  ],
  sort: { by: 'domain', direction: 'ascending' },
  empty: { icon: 'shield-check', text: 'No domain is allowed or blocked. Add one below.', action: null },
};

/** @param nameOf the name of a client */
export function exchangePolicyList(nameOf: (clientId: string) => string): PageList<ExchangePolicy> {
  return {
    noun: ['policy', 'policies'],
    searchLabel: 'Search by application, client id or scope',
    id: ({ policyId }) => policyId,
    texts: ({ clientId, subjectClientId, scope }) => [
      clientId,
      subjectClientId,
      nameOf(clientId),
      nameOf(subjectClientId),
      (scope ?? []).join(' '),
    ],
    filters: [
      {
        name: 'mode',
        title: 'Mode',
        choices: [
          { value: 'impersonation', title: 'Impersonation', matches: ({ modes }) => modes.includes('impersonation') },
          { value: 'delegation', title: 'Delegation', matches: ({ modes }) => modes.includes('delegation') },
        ],
      },
    ],
    columns: [
      textColumn(
        'client',
        'Application',
        ({ clientId }) => nameOf(clientId),
        ({ policyId, clientId }) => ({ text: nameOf(clientId), href: `/admin/exchange-policies/${policyId}/` }),
      ),
      textColumn('subject', 'For tokens of', ({ subjectClientId }) => nameOf(subjectClientId)),
      textColumn('client_id', 'Client id', ({ clientId }) => clientId, 'file'),
      textColumn('subject_client_id', 'Client id of the tokens', ({ subjectClientId }) => subjectClientId, 'file'),
      textColumn('modes', 'Modes', ({ modes }) => modes.join(', ')),
      textColumn(
        'scope',
        'Scopes',
        ({ scope }) => (scope ?? []).join(' '),
        ({ scope }) => (scope === null ? { text: 'those of the token' } : { text: scope.join(' '), code: true }),
      ),
      textColumn(
        'resources',
        'Resource servers',
        ({ resources }) => (resources ?? []).join(' '),
        ({ resources }) =>
          resources === null ? { text: 'those of the token' } : { text: resources.join(' '), code: true },
      ),
      timeColumn('changed', 'Changed', ({ changedAt }) => changedAt),
    ],
    sort: { by: 'client', direction: 'ascending' },
    empty: {
      icon: 'shield-check',
      text: 'Add one to let an application, such as an API gateway, exchange the tokens that it receives.',
      action: { href: '/admin/exchange-policies/add/', text: 'Add a policy' },
    },
  };
}

/** @param nameOf the name of a client */
export function trustedIssuerList(nameOf: (clientId: string) => string): PageList<TrustedIssuer> {
  const names = ({ clients }: TrustedIssuer): string => clients.map(({ clientId }) => nameOf(clientId)).join(', ');
  return {
    noun: ['issuer', 'issuers'],
    searchLabel: 'Search by issuer, application or scope',
    id: ({ issuerId }) => issuerId,
    texts: (issuer) => [issuer.issuer, names(issuer), issuer.scope.join(' ')],
    filters: [
      {
        name: 'status',
        title: 'Keys',
        choices: [
          { value: 'published', title: 'Published by it', matches: ({ keysUri }) => keysUri !== null },
          { value: 'entered', title: 'Entered here', matches: ({ keysUri }) => keysUri === null },
        ],
      },
    ],
    columns: [
      textColumn(
        'issuer',
        'Issuer',
        ({ issuer }) => issuer,
        ({ issuerId, issuer }) => ({ text: issuer, href: `/admin/trusted-issuers/${issuerId}/` }),
      ),
      textColumn('uses', 'Uses', ({ uses }) => uses.join(', ')),
      textColumn('applications', 'Applications', names),
      textColumn(
        'scope',
        'Scopes',
        ({ scope }) => scope.join(' '),
        ({ scope }) => ({ text: scope.join(' '), code: true }),
      ),
      textColumn('keys_uri', 'Keys', ({ keysUri }) => keysUri ?? '', 'file'),
      timeColumn('changed', 'Changed', ({ changedAt }) => changedAt),
    ],
    sort: { by: 'issuer', direction: 'ascending' },
    empty: {
      icon: 'shield-check',
      text: 'Add one to let an application present its tokens here, such as those of a CI system in place of a secret.',
      action: { href: '/admin/trusted-issuers/add/', text: 'Add an issuer' },
    },
  };
}

/** @param accountsOf the number of linked accounts */
export function providerList(accountsOf: (provider: UpstreamProvider) => number): PageList<UpstreamProvider> {
  return {
    noun: ['provider', 'providers'],
    searchLabel: 'Search by name, id or issuer',
    id: ({ providerId }) => providerId,
    texts: ({ providerId, name, issuer }) => [providerId, name, issuer],
    filters: [
      {
        name: 'status',
        title: 'Required',
        choices: [
          { value: 'required', title: 'Yes', matches: ({ required }) => required },
          { value: 'optional', title: 'No', matches: ({ required }) => !required },
        ],
      },
    ],
    columns: [
      textColumn(
        'name',
        'Provider',
        ({ name }) => name,
        ({ providerId, name }) => ({ text: name, href: `/admin/providers/${providerId}/` }),
      ),
      textColumn('id', 'Id', ({ providerId }) => providerId, 'file'),
      textColumn(
        'issuer',
        'Issuer',
        ({ issuer }) => issuer,
        ({ issuer }) => ({ text: issuer, code: true }),
      ),
      textColumn('linking', 'Accounts are linked', ({ linking }) =>
        linking === 'explicit' ? 'by their users' : 'by verified address',
      ),
      textColumn('creates_users', 'Creates users', ({ createsUsers }) => (createsUsers ? 'yes' : 'no')),
      textColumn(
        'required',
        'Required',
        ({ required }) => (required ? 'yes' : 'no'),
        ({ required }) => (required ? { text: 'required', tone: 'neutral' } : { text: 'no' }),
      ),
      numberColumn('accounts', 'Linked accounts', accountsOf),
      timeColumn('changed', 'Changed', ({ changedAt }) => changedAt),
    ],
    sort: { by: 'name', direction: 'ascending' },
    empty: {
      icon: 'shield-check',
      text: 'Users log in with a password or a passkey. Add a provider to let them log in through it.',
      action: { href: '/admin/providers/add/', text: 'Add a provider' },
    },
  };
}
