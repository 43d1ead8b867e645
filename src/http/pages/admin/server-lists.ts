import type { ListedDomain } from '../../../projections/client-domains.ts';
import type { ExchangePolicy } from '../../../projections/exchange-policies.ts';
import type { TrustedIssuer } from '../../../projections/trusted-issuers.ts';
import type { UpstreamProvider } from '../../../projections/upstream-providers.ts';
import { message } from '../../../language/message.ts';
import { overallResult, type LastTest } from '../../../oauth/upstream/last-tests.ts';
import { modeName, issuerUseName } from '../../../oauth/refusals/named-choices.ts';
import { actionColumn, joinItems, numberColumn, textColumn, timeColumn, type PageList } from '../lists/page-list.ts';
import {
  lastLoginCell,
  lastTestCell,
  providerNameCell,
  providerStateCell,
  type ProviderUse,
} from './provider-cells.ts';

/** Defines the list of domains whose metadata documents are allowed or blocked. */
export function domainList(csrfToken: string): PageList<ListedDomain> {
  return {
    name: message('listed.domains'),
    countMessage: 'listed.domains.count',
    fileName: 'domains',
    searchLabel: message('search.domain'),
    id: ({ domain }) => domain,
    texts: ({ domain }) => [domain],
    filters: [
      {
        name: 'status',
        title: message('column.rule'),
        choices: [
          { value: 'allowed', title: message('choice.allowed'), matches: ({ rule }) => rule === 'allowed' },
          { value: 'blocked', title: message('choice.blocked'), matches: ({ rule }) => rule === 'blocked' },
        ],
      },
    ],
    columns: [
      textColumn('domain', message('column.domain'), ({ domain }) => domain),
      textColumn(
        'rule',
        message('column.rule'),
        ({ rule }) => rule,
        ({ rule }) => ({
          text: message(rule === 'allowed' ? 'value.allowed' : 'value.blocked'),
          tone: rule === 'allowed' ? 'good' : 'warning',
        }),
      ),
      timeColumn('since', message('column.since'), ({ since }) => since),
      actionColumn(message('column.change'), ({ domain }) => ({
        form: {
          action: '/admin/domains/',
          csrfToken,
          hidden: { domain, rule: '' },
          text: message('button.remove'),
          label: message('domains.remove', { domain }),
          tone: 'plain',
        },
      })),
    ],
    sort: { by: 'domain', direction: 'ascending' },
    empty: { icon: 'shield-check', text: message('empty.domains'), action: null },
  };
}

/**
 * Defines the list of exchange policies.
 * @param nameOf returns the name of a client
 */
export function exchangePolicyList(nameOf: (clientId: string) => string): PageList<ExchangePolicy> {
  return {
    name: message('listed.policies'),
    countMessage: 'listed.policies.count',
    fileName: 'policies',
    searchLabel: message('search.application-client-id-or-scope'),
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
        title: message('column.mode'),
        choices: [
          {
            value: 'impersonation',
            title: message('choice.impersonation'),
            matches: ({ modes }) => modes.includes('impersonation'),
          },
          {
            value: 'delegation',
            title: message('choice.delegation'),
            matches: ({ modes }) => modes.includes('delegation'),
          },
        ],
      },
    ],
    columns: [
      textColumn(
        'client',
        message('column.application'),
        ({ clientId }) => nameOf(clientId),
        ({ policyId, clientId }) => ({ text: nameOf(clientId), href: `/admin/exchange-policies/${policyId}/` }),
      ),
      textColumn('subject', message('column.tokens-of'), ({ subjectClientId }) => nameOf(subjectClientId)),
      textColumn('client_id', message('column.client-id'), ({ clientId }) => clientId, 'file'),
      textColumn(
        'subject_client_id',
        message('column.client-id-of-tokens'),
        ({ subjectClientId }) => subjectClientId,
        'file',
      ),
      textColumn(
        'modes',
        message('column.modes'),
        ({ modes }) => modes.join(', '),
        ({ modes }) => ({ text: joinItems(modes.map(modeName)) }),
      ),
      textColumn(
        'scope',
        message('column.scopes'),
        ({ scope }) => (scope ?? []).join(' '),
        ({ scope }) =>
          scope === null ? { text: message('value.of-the-token') } : { text: scope.join(' '), code: true },
      ),
      textColumn(
        'resources',
        message('column.resource-servers'),
        ({ resources }) => (resources ?? []).join(' '),
        ({ resources }) =>
          resources === null ? { text: message('value.of-the-token') } : { text: resources.join(' '), code: true },
      ),
      timeColumn('changed', message('column.changed'), ({ changedAt }) => changedAt),
    ],
    sort: { by: 'client', direction: 'ascending' },
    empty: {
      icon: 'shield-check',
      text: message('empty.policies'),
      action: { href: '/admin/exchange-policies/add/', text: message('empty.policies.action') },
    },
  };
}

/**
 * Defines the list of trusted issuers.
 * @param nameOf returns the name of a client
 */
export function trustedIssuerList(nameOf: (clientId: string) => string): PageList<TrustedIssuer> {
  const clientNames = ({ clients }: TrustedIssuer): string =>
    clients.map(({ clientId }) => nameOf(clientId)).join(', ');
  return {
    name: message('listed.issuers'),
    countMessage: 'listed.issuers.count',
    fileName: 'issuers',
    searchLabel: message('search.issuer-application-or-scope'),
    id: ({ issuerId }) => issuerId,
    texts: (issuer) => [issuer.issuer, clientNames(issuer), issuer.scope.join(' ')],
    filters: [
      {
        name: 'status',
        title: message('column.keys'),
        choices: [
          {
            value: 'published',
            title: message('choice.published-by-it'),
            matches: ({ keysUri }) => keysUri !== null,
          },
          { value: 'entered', title: message('choice.entered-here'), matches: ({ keysUri }) => keysUri === null },
        ],
      },
    ],
    columns: [
      textColumn(
        'issuer',
        message('column.issuer'),
        ({ issuer }) => issuer,
        ({ issuerId, issuer }) => ({ text: issuer, href: `/admin/trusted-issuers/${issuerId}/` }),
      ),
      textColumn(
        'uses',
        message('column.uses'),
        ({ uses }) => uses.join(', '),
        ({ uses }) => ({ text: joinItems(uses.map(issuerUseName)) }),
      ),
      textColumn('applications', message('column.applications'), clientNames),
      textColumn(
        'scope',
        message('column.scopes'),
        ({ scope }) => scope.join(' '),
        ({ scope }) => ({ text: scope.join(' '), code: true }),
      ),
      textColumn('keys_uri', message('column.keys'), ({ keysUri }) => keysUri ?? '', 'file'),
      timeColumn('changed', message('column.changed'), ({ changedAt }) => changedAt),
    ],
    sort: { by: 'issuer', direction: 'ascending' },
    empty: {
      icon: 'shield-check',
      text: message('empty.issuers'),
      action: { href: '/admin/trusted-issuers/add/', text: message('empty.issuers.action') },
    },
  };
}

/**
 * Defines the list of login providers.
 * @param accountCountOf returns the number of linked accounts at a provider
 */
export function providerList(
  accountCountOf: (provider: UpstreamProvider) => number,
  { upstreamProviders, lastProviderTests }: ProviderUse,
): PageList<UpstreamProvider> {
  const lastLoginOf = ({ providerId }: UpstreamProvider) => upstreamProviders.lastLoginAt(providerId);
  const lastTestOf = (provider: UpstreamProvider) => lastProviderTests.find(provider);
  return {
    name: message('listed.providers'),
    countMessage: 'listed.providers.count',
    fileName: 'providers',
    searchLabel: message('search.name-id-or-issuer'),
    id: ({ providerId }) => providerId,
    texts: ({ providerId, name, issuer }) => [providerId, name, issuer],
    filters: [
      {
        name: 'state',
        title: message('column.state'),
        choices: [
          { value: 'on', title: message('choice.on'), matches: ({ disabled }) => disabled !== true },
          { value: 'off', title: message('choice.off'), matches: ({ disabled }) => disabled === true },
        ],
      },
      {
        name: 'status',
        title: message('column.required'),
        choices: [
          { value: 'required', title: message('choice.yes'), matches: ({ required }) => required },
          { value: 'optional', title: message('choice.no'), matches: ({ required }) => !required },
        ],
      },
    ],
    columns: [
      textColumn('name', message('column.provider'), ({ name }) => name, providerNameCell),
      textColumn('id', message('column.id'), ({ providerId }) => providerId, 'file'),
      textColumn(
        'issuer',
        message('column.issuer'),
        ({ issuer }) => issuer,
        ({ issuer }) => ({ text: issuer, code: true }),
      ),
      textColumn(
        'state',
        message('column.state'),
        ({ disabled }) => (disabled === true ? 'off' : 'on'),
        providerStateCell,
      ),
      textColumn(
        'linking',
        message('column.linking'),
        ({ linking }) => (linking === 'explicit' ? 'by their users' : 'by verified address'),
        'file',
      ),
      textColumn(
        'creates_users',
        message('column.creates-users'),
        ({ createsUsers }) => (createsUsers ? 'yes' : 'no'),
        'file',
      ),
      textColumn('required', message('column.required'), ({ required }) => (required ? 'yes' : 'no'), 'file'),
      numberColumn('accounts', message('column.linked-accounts'), accountCountOf),
      {
        ...timeColumn<UpstreamProvider>('last_login', message('column.last-login'), lastLoginOf),
        cell: (provider) => lastLoginCell(lastLoginOf(provider)),
      },
      {
        ...timeColumn<UpstreamProvider>('last_test', message('column.last-test'), (item) => lastTestOf(item)?.at),
        cell: (provider) => lastTestCell(lastTestOf(provider)),
      },
      textColumn('last_test_result', message('column.last-test'), (item) => resultText(lastTestOf(item)), 'file'),
      {
        ...timeColumn<UpstreamProvider>('changed', message('column.changed'), ({ changedAt }) => changedAt),
        cell: 'file',
      },
    ],
    sort: { by: 'name', direction: 'ascending' },
    empty: {
      icon: 'shield-check',
      text: message('empty.providers'),
      action: { href: '/admin/providers/add/', text: message('empty.providers.action') },
    },
  };
}

function resultText(test: LastTest | null): string {
  return test === null ? '' : overallResult(test);
}
