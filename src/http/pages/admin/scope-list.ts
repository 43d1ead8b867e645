import { message } from '../../../language/message.ts';
import { RESTRICTED_SCOPES } from '../../../domain/values.ts';
import { allowedClients, isRestricted } from '../../../domain/scope.ts';
import type { CurrentScope, ScopeOrigin } from '../../../oauth/settings/scope-changes.ts';
import { toCatalogText } from '../authorize/scope-descriptions.ts';
import type { Client } from '../../../projections/clients.ts';
import { textColumn, type PageList } from '../lists/page-list.ts';

/**
 * Defines the list of this server's scopes.
 * @param mayEdit whether a scope can be changed on its page
 * @param clients all clients
 */
export function scopeList(mayEdit: boolean, clients: readonly Client[]): PageList<CurrentScope> {
  const allowedClientCounts = new Map(RESTRICTED_SCOPES.map((name) => [name, allowedClients(name, clients).length]));
  return {
    name: message('admin.scopes'),
    countMessage: 'listed.scopes.count',
    fileName: 'scopes',
    searchLabel: message('search.name-or-description'),
    id: ({ name }) => name,
    texts: ({ name, description }) => [name, description],
    filters: [
      {
        name: 'type',
        title: message('scopes.origin'),
        choices: [
          { value: 'own', title: message('scopes.own'), matches: ({ origin }) => isCustom(origin) },
          { value: 'default', title: message('scopes.default'), matches: ({ origin }) => origin === 'default' },
          { value: 'built-in', title: message('scopes.built-in'), matches: ({ origin }) => origin === 'built-in' },
        ],
      },
      {
        name: 'status',
        title: message('scopes.sensitivity'),
        choices: [
          {
            value: 'sensitive',
            title: message('scopes.sensitive'),
            matches: ({ sensitivity }) => sensitivity === 'sensitive',
          },
          { value: 'normal', title: message('scopes.normal'), matches: ({ sensitivity }) => sensitivity === 'normal' },
        ],
      },
      {
        name: 'requested_by',
        title: message('scopes.requested-by'),
        choices: [
          { value: 'all', title: message('scopes.by-all'), matches: ({ name }) => !isRestricted(name) },
          { value: 'allowed', title: message('scopes.by-allowed'), matches: ({ name }) => isRestricted(name) },
        ],
      },
    ],
    columns: [
      textColumn(
        'scope',
        message('scopes.scope'),
        ({ name }) => name,
        ({ name, icon }) => ({
          text: name,
          ...(icon === null ? {} : { icon }),
          ...(mayEdit ? { href: `/admin/scopes/edit/?scope=${encodeURIComponent(name)}` } : { code: true }),
        }),
      ),
      textColumn(
        'description',
        message('scopes.description'),
        ({ description }) => description,
        ({ name, description }) => ({ text: toCatalogText(name, description) }),
      ),
      textColumn(
        'sensitivity',
        message('scopes.sensitivity'),
        ({ sensitivity }) => sensitivity,
        ({ sensitivity }) =>
          sensitivity === 'sensitive'
            ? { text: message('scopes.sensitive'), tone: 'warning' }
            : { text: message('scopes.normal') },
      ),
      textColumn(
        'requested_by',
        message('scopes.requested-by'),
        ({ name }) => (isRestricted(name) ? 'allowed' : 'all'),
        ({ name }) =>
          isRestricted(name)
            ? { text: message('scopes.by-allowed-count', { count: allowedClientCounts.get(name) ?? 0 }) }
            : { text: message('scopes.by-all') },
      ),
      textColumn(
        'allowed_clients',
        message('scopes.allowed-clients'),
        ({ name }) => (isRestricted(name) ? String(allowedClientCounts.get(name) ?? 0) : ''),
        'file',
      ),
      textColumn('icon', message('scope.icon'), ({ icon }) => icon ?? '', 'file'),
      textColumn(
        'origin',
        message('scopes.origin'),
        ({ origin }) => (origin === 'built-in' ? 'built in' : origin),
        ({ origin }) => ({ text: message(`scopes.${origin}`) }),
      ),
    ],
    sort: { by: 'scope', direction: 'ascending' },
    empty: { icon: 'key', text: message('empty.scopes'), action: null },
  };
}

/** Reports whether an administrator or the operator defined the scope. */
const isCustom = (origin: ScopeOrigin): boolean => origin !== 'built-in' && origin !== 'default';
