import type { AuthorizedApplication } from '../../../audit/queries/authorized-applications.ts';
import { numberColumn, textColumn, timeColumn, type PageList } from '../lists/page-list.ts';
import { authorizedApplicationLocals } from './authorization-lookup.ts';

/** The applications that a user has authorized. */
export const AUTHORIZED: PageList<AuthorizedApplication> = {
  noun: ['application', 'applications'],
  searchLabel: 'Search by application or permission',
  // the newest authorization first, of those that were last used in the same second
  id: ({ grants: [newest] }) => newest?.grantedPosition ?? 0,
  texts: ({ name, scope }) => [name, ...scope],
  filters: [],
  columns: [
    textColumn('application', 'Name', ({ name }) => name),
    textColumn('scope', 'Permissions', ({ scope }) => scope.join(' ')),
    timeColumn('since', 'Authorized', (each) => authorizedApplicationLocals(each).since),
    timeColumn('last_used', 'Last used', (each) => authorizedApplicationLocals(each).lastUsed),
    numberColumn('authorizations', 'Authorizations', ({ count }) => count),
  ],
  sort: { by: 'last_used', direction: 'descending' },
  empty: {
    icon: 'shield-check',
    text: 'When you authorize one, it appears here with the permissions you gave it.',
    action: null,
  },
  // few, because each application is listed with its scopes
  itemsPerPage: 10,
};
