import { ownersOf } from '../../../domain/members.ts';
import type { Client } from '../../../projections/clients.ts';
import type { Users } from '../../../projections/users.ts';
import { message } from '../../../language/message.ts';
import { numberColumn, textColumn, timeColumn, type Cell, type PageColumn, type PageList } from '../lists/page-list.ts';
import { adminMembers } from './application-people.ts';

/** The columns of every list of applications. */
const APPLICATION: PageColumn<Client> = textColumn(
  'name',
  message('column.application'),
  ({ name }) => name,
  ({ clientId, name }) => ({ text: name, href: `/admin/applications/${encodeURIComponent(clientId)}/` }),
);
const CLIENT_ID: PageColumn<Client> = textColumn(
  'client_id',
  message('column.client-id'),
  ({ clientId }) => clientId,
  ({ clientId }) => ({ text: clientId, code: true }),
);
const REGISTERED: PageColumn<Client> = timeColumn(
  'registered',
  message('column.registered'),
  ({ registeredAt }) => registeredAt,
);
const LAST_USED: PageColumn<Client> = timeColumn(
  'last_used',
  message('column.last-used'),
  ({ lastUse }) => lastUse.anySecret?.at,
  message('value.never'),
);

type ClientFilter = PageList<Client>['filters'][number];

const BY_TYPE: ClientFilter = {
  name: 'client_type',
  title: message('column.type'),
  choices: [
    {
      value: 'confidential',
      title: message('choice.confidential'),
      matches: ({ clientType }) => clientType === 'confidential',
    },
    { value: 'public', title: message('choice.public'), matches: ({ clientType }) => clientType === 'public' },
  ],
};

const BY_MODE: ClientFilter = {
  name: 'mode',
  title: message('column.mode'),
  choices: [
    { value: 'live', title: message('choice.live'), matches: ({ mode }) => mode === 'live' },
    { value: 'test', title: message('choice.test'), matches: ({ mode }) => mode === 'test' },
    { value: 'disabled', title: message('choice.disabled'), matches: ({ disabledAt }) => disabledAt !== undefined },
  ],
};

/** The list of all users' applications. */
export function applicationList(users: Pick<Users, 'find'>): PageList<Client> {
  const owners = (client: Client): readonly string[] =>
    adminMembers(ownersOf(client), users).map(({ username }) => username);
  return {
    name: message('listed.applications'),
    counted: 'listed.applications.count',
    fileName: 'applications',
    searchLabel: message('search.name-owner-or-client-id'),
    id: ({ registeredPosition }) => registeredPosition,
    texts: (client) => [client.name, client.clientId, ...owners(client)],
    filters: [
      BY_TYPE,
      BY_MODE,
      {
        name: 'owner',
        title: message('column.owner'),
        choices: [
          { value: 'users', title: message('choice.users'), matches: (client) => ownersOf(client).length > 0 },
          { value: 'none', title: message('choice.none'), matches: (client) => ownersOf(client).length === 0 },
        ],
      },
    ],
    columns: [
      APPLICATION,
      CLIENT_ID,
      textColumn('type', message('column.type'), ({ clientType }) => clientType, typeCell),
      textColumn('mode', message('column.mode'), ({ mode }) => mode, 'file'),
      textColumn(
        'disabled',
        message('column.disabled'),
        ({ disabledAt }) => (disabledAt === undefined ? 'no' : 'yes'),
        'file',
      ),
      textColumn('grants', message('column.grant-types'), ({ grantTypes }) => grantTypes.join(' '), 'file'),
      textColumn(
        'owners',
        message('column.owner'),
        (client) => owners(client).join(', '),
        (client) => ownerCell(client, users),
      ),
      numberColumn('redirect_uris', message('column.redirect-uris'), ({ redirectUris }) => redirectUris.length, 'file'),
      REGISTERED,
      LAST_USED,
    ],
    sort: { by: 'registered', direction: 'descending' },
    empty: {
      icon: 'app-window',
      text: message('empty.applications'),
      action: null,
    },
  };
}

function typeCell({ clientType, mode, disabledAt }: Client): Cell {
  const isConfidential = clientType === 'confidential';
  if (disabledAt !== undefined)
    return { text: message(isConfidential ? 'value.confidential-disabled' : 'value.public-disabled'), tone: 'danger' };
  if (mode === 'test')
    return { text: message(isConfidential ? 'value.confidential-in-test-mode' : 'value.public-in-test-mode') };
  return { text: message(isConfidential ? 'value.confidential' : 'value.public') };
}

function ownerCell(client: Client, users: Pick<Users, 'find'>): Cell {
  const [first, ...others] = adminMembers(ownersOf(client), users);
  if (first === undefined) return { text: message('list.none'), none: true };
  if (others.length === 0) return { text: first.username, href: `/admin/users/${first.id}/` };
  return {
    text: message('value.others', { name: first.username, count: others.length }),
    href: `/admin/applications/${encodeURIComponent(client.clientId)}/people/`,
  };
}

/** The list of the applications that one user registered. */
export const APPLICATIONS_OF_USER: PageList<Client> = {
  name: message('listed.applications'),
  counted: 'listed.applications.count',
  fileName: 'applications',
  searchLabel: message('search.name-or-client-id'),
  id: ({ registeredPosition }) => registeredPosition,
  texts: ({ name, clientId }) => [name, clientId],
  filters: [BY_TYPE, BY_MODE],
  columns: [APPLICATION, CLIENT_ID, REGISTERED, LAST_USED],
  sort: { by: 'registered', direction: 'descending' },
  empty: { icon: 'app-window', text: message('empty.applications-of-user'), action: null },
};
