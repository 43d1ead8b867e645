import { ownersOf } from '../../../domain/members.ts';
import type { Client } from '../../../projections/clients.ts';
import type { Users } from '../../../projections/users.ts';
import { numberColumn, textColumn, timeColumn, type Cell, type PageColumn, type PageList } from '../lists/page-list.ts';
import { adminMembers } from './application-people.ts';

/** The columns of every list of applications. */
const APPLICATION: PageColumn<Client> = textColumn(
  'name',
  'Application',
  ({ name }) => name,
  ({ clientId, name }) => ({ text: name, href: `/admin/applications/${encodeURIComponent(clientId)}/` }),
);
const CLIENT_ID: PageColumn<Client> = textColumn(
  'client_id',
  'Client id',
  ({ clientId }) => clientId,
  ({ clientId }) => ({ text: clientId, code: true }),
);
const REGISTERED: PageColumn<Client> = timeColumn('registered', 'Registered', ({ registeredAt }) => registeredAt);
const LAST_USED: PageColumn<Client> = timeColumn(
  'last_used',
  'Last used',
  ({ lastUse }) => lastUse.anySecret?.at,
  'never',
);

type ClientFilter = PageList<Client>['filters'][number];

const BY_TYPE: ClientFilter = {
  name: 'client_type',
  title: 'Type',
  choices: [
    { value: 'confidential', title: 'Confidential', matches: ({ clientType }) => clientType === 'confidential' },
    { value: 'public', title: 'Public', matches: ({ clientType }) => clientType === 'public' },
  ],
};

const BY_MODE: ClientFilter = {
  name: 'mode',
  title: 'Mode',
  choices: [
    { value: 'live', title: 'Live', matches: ({ mode }) => mode === 'live' },
    { value: 'test', title: 'Test', matches: ({ mode }) => mode === 'test' },
    { value: 'disabled', title: 'Disabled', matches: ({ disabledAt }) => disabledAt !== undefined },
  ],
};

/** The list of all users' applications. */
export function applicationList(users: Pick<Users, 'find'>): PageList<Client> {
  const owners = (client: Client): readonly string[] =>
    adminMembers(ownersOf(client), users).map(({ username }) => username);
  return {
    noun: ['application', 'applications'],
    searchLabel: 'Search by name, owner or client id',
    id: ({ registeredPosition }) => registeredPosition,
    texts: (client) => [client.name, client.clientId, ...owners(client)],
    filters: [
      BY_TYPE,
      BY_MODE,
      {
        name: 'owner',
        title: 'Owner',
        choices: [
          { value: 'users', title: 'Users', matches: (client) => ownersOf(client).length > 0 },
          { value: 'none', title: 'None', matches: (client) => ownersOf(client).length === 0 },
        ],
      },
    ],
    columns: [
      APPLICATION,
      CLIENT_ID,
      textColumn('type', 'Type', ({ clientType }) => clientType, typeCell),
      textColumn('mode', 'Mode', ({ mode }) => mode, 'file'),
      textColumn('disabled', 'Disabled', ({ disabledAt }) => (disabledAt === undefined ? 'no' : 'yes'), 'file'),
      textColumn('grants', 'Grant types', ({ grantTypes }) => grantTypes.join(' '), 'file'),
      textColumn(
        'owners',
        'Owner',
        (client) => owners(client).join(', '),
        (client) => ownerCell(client, users),
      ),
      numberColumn('redirect_uris', 'Redirect URIs', ({ redirectUris }) => redirectUris.length, 'file'),
      REGISTERED,
      LAST_USED,
    ],
    sort: { by: 'registered', direction: 'descending' },
    empty: {
      icon: 'app-window',
      text: 'Users register applications in their own pages. You can also run grantlog client add.',
      action: null,
    },
  };
}

function typeCell({ clientType, mode, disabledAt }: Client): Cell {
  if (disabledAt !== undefined) return { text: `${clientType}, disabled`, tone: 'danger' };
  return { text: mode === 'test' ? `${clientType}, in test mode` : clientType };
}

function ownerCell(client: Client, users: Pick<Users, 'find'>): Cell {
  const [first, ...others] = adminMembers(ownersOf(client), users);
  if (first === undefined) return { text: 'none', none: true };
  if (others.length === 0) return { text: first.username, href: `/admin/users/${first.id}/` };
  return {
    text: `${first.username} and ${others.length} more`,
    href: `/admin/applications/${encodeURIComponent(client.clientId)}/people/`,
  };
}

/** The list of the applications that one user registered. */
export const APPLICATIONS_OF_USER: PageList<Client> = {
  noun: ['application', 'applications'],
  searchLabel: 'Search by name or client id',
  id: ({ registeredPosition }) => registeredPosition,
  texts: ({ name, clientId }) => [name, clientId],
  filters: [BY_TYPE, BY_MODE],
  columns: [APPLICATION, CLIENT_ID, REGISTERED, LAST_USED],
  sort: { by: 'registered', direction: 'descending' },
  empty: { icon: 'app-window', text: 'The user owns no applications.', action: null },
};
