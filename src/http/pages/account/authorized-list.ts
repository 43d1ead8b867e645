import type { AuthorizedApplication } from '../../../audit/queries/authorized-applications.ts';
import { message } from '../../../language/message.ts';
import { numberColumn, textColumn, timeColumn, type PageList } from '../lists/page-list.ts';
import { authorizedApplicationLocals } from './grant-locals.ts';

/** The list of the applications that a user has authorized. */
export const AUTHORIZED_APPLICATIONS: PageList<AuthorizedApplication> = {
  name: message('listed.applications'),
  countMessage: 'listed.applications.count',
  fileName: 'applications',
  searchLabel: message('search.application-or-permission'),
  // among applications last used in the same second, the most recently authorized comes first
  id: ({ grants: [newest] }) => newest?.grantedPosition ?? 0,
  texts: ({ name, scope }) => [name, ...scope],
  filters: [],
  columns: [
    textColumn('application', message('column.name'), ({ name }) => name),
    textColumn('scope', message('column.permissions'), ({ scope }) => scope.join(' ')),
    timeColumn('since', message('column.authorized'), (application) => authorizedApplicationLocals(application).since),
    timeColumn(
      'last_used',
      message('column.last-used'),
      (application) => authorizedApplicationLocals(application).lastUsed,
    ),
    numberColumn('authorizations', message('column.authorizations'), ({ count }) => count),
  ],
  sort: { by: 'last_used', direction: 'descending' },
  empty: {
    icon: 'shield-check',
    text: message('empty.authorized-by-you'),
    action: null,
  },
  // a short page, because each application is listed with its scopes
  itemsPerPage: 10,
};
