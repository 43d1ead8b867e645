import type { AuthorizedApplication, AuthorizingUser } from '../../../audit/queries/authorized-applications.ts';
import type { LiveGrant } from '../../../projections/live-grant.ts';
import { authorizedApplicationLocals, grantLocals } from '../account/grant-locals.ts';
import { message, type Text } from '../../../language/message.ts';
import {
  actionColumn,
  joinItems,
  EMPTY_CELL,
  numberColumn,
  textColumn,
  timeColumn,
  type Cell,
  type PageColumn,
  type PageList,
} from '../lists/page-list.ts';

/** Formats a scope and its resource servers in English, for searches and files. */
const scopeText = ({
  scope,
  resources,
}: {
  readonly scope: readonly string[];
  readonly resources: readonly string[];
}) => [scope.join(' '), ...resources.map((resource) => `for ${resource}`)].join(' ').trim();

/** Formats a scope and its resource servers in the reader's language, for the table. */
function scopeCell({ scope, resources }: Parameters<typeof scopeText>[0]): Cell {
  const names = scope.join(' ');
  const text = resources.reduce<Text>(
    (formatted, resource) =>
      formatted === ''
        ? message('value.for-resource', { resource })
        : message('value.scope-for', { scope: formatted, resource }),
    names,
  );
  return { text, code: true };
}

const localsOf = authorizedApplicationLocals;

/** Returns the columns shared by the list of a user's applications and the list of an application's users. */
function accessColumns<Item extends AuthorizedApplication>(
  pathOf: (item: Item) => string,
): readonly PageColumn<Item>[] {
  return [
    textColumn(
      'scope',
      message('column.scopes'),
      (item) => scopeText(localsOf(item)),
      (item) => scopeCell(localsOf(item)),
    ),
    timeColumn('since', message('column.since'), (item) => localsOf(item).since),
    timeColumn('last_used', message('column.last-used'), (item) => localsOf(item).lastUsed),
    numberColumn(
      'authorizations',
      message('column.authorizations'),
      ({ count }) => count,
      (item) => ({ text: message('list.number', { number: item.count }), href: pathOf(item) }),
    ),
    actionColumn(message('column.revoke'), (item) => ({
      text: message('button.revoke-access'),
      href: `${pathOf(item)}revoke/`,
      isAction: true,
    })),
  ];
}

/** The list of users who have authorized an application. */
export const AUTHORIZING_USERS: PageList<AuthorizingUser> = {
  name: message('listed.users'),
  countMessage: 'listed.users.count',
  fileName: 'users',
  searchLabel: message('search.user-name-e-mail-address-or-scope'),
  // breaks ties between users whose access was last used in the same second: the most recent authorization comes first
  id: ({ grants: [newest] }) => newest?.grantedPosition ?? 0,
  texts: ({ user, scope }) => [user.username, user.email, scope.join(' ')],
  filters: [],
  columns: [
    textColumn(
      'username',
      message('column.username'),
      ({ user }) => user.username,
      ({ user }) => ({ text: user.username, href: `/admin/users/${user.id}/` }),
    ),
    ...accessColumns<AuthorizingUser>(
      ({ user, clientId }) => `/admin/users/${user.id}/authorizations/${encodeURIComponent(clientId)}/`,
    ),
  ],
  sort: { by: 'last_used', direction: 'descending' },
  empty: { icon: 'users', text: message('empty.authorizing-users'), action: null },
};

/**
 * Defines the list of applications that a user has authorized.
 * @param path the path of the user's page
 */
export function authorizedApplicationList(path: string): PageList<AuthorizedApplication> {
  const pathOf = ({ clientId }: AuthorizedApplication): string =>
    `${path}authorizations/${encodeURIComponent(clientId)}/`;
  return {
    name: message('listed.authorized-applications'),
    countMessage: 'listed.authorized-applications.count',
    fileName: 'authorized-applications',
    searchLabel: message('search.application-client-id-or-scope'),
    // breaks ties between applications last used in the same second: the most recent authorization comes first
    id: ({ grants: [newest] }) => newest?.grantedPosition ?? 0,
    texts: ({ name, clientId, scope }) => [name, clientId, scope.join(' ')],
    filters: [],
    columns: [
      textColumn(
        'application',
        message('column.application'),
        ({ name }) => name,
        ({ clientId, name }) => ({ text: name, href: `/admin/applications/${encodeURIComponent(clientId)}/` }),
      ),
      textColumn('client_id', message('column.client-id'), ({ clientId }) => clientId, 'file'),
      ...accessColumns(pathOf),
    ],
    sort: { by: 'last_used', direction: 'descending' },
    empty: { icon: 'shield-check', text: message('empty.authorized'), action: null },
  };
}

/**
 * Defines the list of authorizations that a user gave to an application.
 * @param path the path of the user's page
 * @param detailsOf returns a sentence for each authorization detail
 */
export function grantList(path: string, detailsOf: (grant: LiveGrant) => readonly string[]): PageList<LiveGrant> {
  const formatDetails = (grant: LiveGrant): string => {
    const { managed } = grantLocals(grant);
    const management = managed === null ? [] : [`managed as ${managed.grantId} (${managed.action})`];
    return [...detailsOf(grant), ...management].join('; ');
  };
  const detailsCell = (grant: LiveGrant): Cell => {
    const { managed } = grantLocals(grant);
    const texts: readonly Text[] =
      managed === null
        ? detailsOf(grant)
        : [...detailsOf(grant), message('value.managed', { grant: managed.grantId, action: managed.action })];
    return texts.length === 0 ? EMPTY_CELL : { text: joinItems(texts, 'list.joined.details') };
  };
  return {
    name: message('listed.authorizations'),
    countMessage: 'listed.authorizations.count',
    fileName: 'authorizations',
    searchLabel: message('search.scope-or-resource-server'),
    id: ({ grantedPosition }) => grantedPosition,
    texts: (grant) => [scopeText(grantLocals(grant))],
    filters: [],
    columns: [
      timeColumn('since', message('column.since'), ({ grantedAt }) => grantedAt),
      textColumn(
        'scope',
        message('column.scopes'),
        (grant) => scopeText(grantLocals(grant)),
        (grant) => scopeCell(grantLocals(grant)),
      ),
      timeColumn('last_used', message('column.last-used'), (grant) => grantLocals(grant).lastUsed),
      textColumn('details', message('column.details'), formatDetails, detailsCell),
      actionColumn(message('column.revoke'), ({ grantId }) => ({
        text: message('button.revoke-this'),
        href: `${path}grants/${encodeURIComponent(grantId)}/`,
      })),
    ],
    sort: { by: 'since', direction: 'descending' },
    empty: { icon: 'shield-check', text: message('empty.authorizations'), action: null },
  };
}
