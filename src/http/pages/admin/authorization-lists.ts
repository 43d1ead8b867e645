import type { AuthorizedApplication } from '../../../audit/queries/authorized-applications.ts';
import type { LiveGrant } from '../../../projections/live-grant.ts';
import { authorizedApplicationLocals, grantLocals } from '../account/authorization-lookup.ts';
import { actionColumn, numberColumn, textColumn, timeColumn, type PageList } from '../lists/page-list.ts';

const scopeText = ({
  scope,
  resources,
}: {
  readonly scope: readonly string[];
  readonly resources: readonly string[];
}) => [scope.join(' '), ...resources.map((resource) => `for ${resource}`)].join(' ').trim();

/** The applications that the user with this path has authorized. */
export function authorizedList(path: string): PageList<AuthorizedApplication> {
  const shown = authorizedApplicationLocals;
  const address = ({ clientId }: AuthorizedApplication): string =>
    `${path}authorizations/${encodeURIComponent(clientId)}/`;
  return {
    noun: ['authorized application', 'authorized applications'],
    searchLabel: 'Search by application, client id or scope',
    // the newest authorization first, of those that were last used in the same second
    id: ({ grants: [newest] }) => newest?.grantedPosition ?? 0,
    texts: ({ name, clientId, scope }) => [name, clientId, scope.join(' ')],
    filters: [],
    columns: [
      textColumn(
        'application',
        'Application',
        ({ name }) => name,
        ({ clientId, name }) => ({ text: name, href: `/admin/applications/${encodeURIComponent(clientId)}/` }),
      ),
      textColumn('client_id', 'Client id', ({ clientId }) => clientId, 'file'),
      textColumn(
        'scope',
        'Scopes',
        (each) => scopeText(shown(each)),
        (each) => ({ text: scopeText(shown(each)), code: true }),
      ),
      timeColumn('since', 'Since', (each) => shown(each).since),
      timeColumn('last_used', 'Last used', (each) => shown(each).lastUsed),
      numberColumn(
        'authorizations',
        'Authorizations',
        ({ count }) => count,
        (each) => ({ text: each.count.toLocaleString('en'), href: address(each) }),
      ),
      actionColumn('Revoke', (each) => ({ text: 'Revoke access', href: `${address(each)}revoke/` })),
    ],
    sort: { by: 'last_used', direction: 'descending' },
    empty: { icon: 'shield-check', text: 'The user has given no application access to the account.', action: null },
  };
}

/**
 * The authorizations that the user with this path gave to one application.
 * @param detailsOf a sentence for each authorization detail
 */
export function grantList(path: string, detailsOf: (grant: LiveGrant) => readonly string[]): PageList<LiveGrant> {
  const details = (grant: LiveGrant): string => {
    const { managed } = grantLocals(grant);
    const management = managed === null ? [] : [`managed as ${managed.grantId} (${managed.action})`];
    return [...detailsOf(grant), ...management].join('; ');
  };
  return {
    noun: ['authorization', 'authorizations'],
    searchLabel: 'Search by scope or resource server',
    id: ({ grantedPosition }) => grantedPosition,
    texts: (grant) => [scopeText(grantLocals(grant))],
    filters: [],
    columns: [
      timeColumn('since', 'Since', ({ grantedAt }) => grantedAt),
      textColumn(
        'scope',
        'Scopes',
        (grant) => scopeText(grantLocals(grant)),
        (grant) => ({ text: scopeText(grantLocals(grant)), code: true }),
      ),
      timeColumn('last_used', 'Last used', (grant) => grantLocals(grant).lastUsed),
      textColumn('details', 'Details', details),
      actionColumn('Revoke', ({ grantId }) => ({
        text: 'Revoke this one',
        href: `${path}grants/${encodeURIComponent(grantId)}/`,
      })),
    ],
    sort: { by: 'since', direction: 'descending' },
    empty: { icon: 'shield-check', text: 'There are no authorizations any more.', action: null },
  };
}
