import { ownersOf } from '../../../domain/members.ts';
import type { Client } from '../../../projections/clients.ts';
import type { Users } from '../../../projections/users.ts';
import { message } from '../../../language/message.ts';
import { EMPTY_CELL, textColumn, timeColumn, type Cell, type PageColumn, type PageList } from '../lists/page-list.ts';
import { adminMembers } from './application-people.ts';
import type { Activity } from '../../../projections/activity.ts';
import type { EpochSeconds } from '../../../domain/values.ts';

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

const TYPE_FILTER: ClientFilter = {
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

const STATE_FILTER: ClientFilter = {
  name: 'mode',
  title: message('column.state'),
  choices: [
    { value: 'live', title: message('choice.live'), matches: (client) => stateOf(client) === 'live' },
    { value: 'test', title: message('choice.test'), matches: (client) => stateOf(client) === 'test' },
    { value: 'disabled', title: message('choice.disabled'), matches: (client) => stateOf(client) === 'disabled' },
  ],
};

export interface ApplicationListDeps {
  readonly users: Pick<Users, 'find'>;
  readonly activity: Pick<Activity, 'upperBoundWithin'>;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly accessTokenLifetimeSeconds: number };
}

/**
 * Returns an upper bound on the number of access tokens issued to the application during the last token lifetime.
 * Returns undefined if the lifetime is longer than the period for which tokens are counted.
 */
function maxTokens(
  { clientId }: Pick<Client, 'clientId'>,
  { activity, now, settings }: Pick<ApplicationListDeps, 'activity' | 'now' | 'settings'>,
): number | undefined {
  return activity.upperBoundWithin(clientId, settings.accessTokenLifetimeSeconds, now());
}

/** A longer menu would be unwieldy. A search for the name of any owner also finds that owner's applications. */
const MAX_OWNERS = 200;

/**
 * Returns the owner filter. Its choices are clients with an owner, clients without an owner, and each owner of these
 * clients, sorted by name.
 * @param chosenOwner the current choice; if it is a user id, that owner is offered even beyond the limit
 */
function ownerFilter(clients: readonly Client[], users: Pick<Users, 'find'>, chosenOwner: string): ClientFilter {
  const names = new Map(
    clients.flatMap((client) => adminMembers(ownersOf(client), users).map(({ id, username }) => [id, username])),
  );
  const owners = [...names].toSorted(([, a], [, b]) => a.localeCompare(b));
  const offeredOwners = owners.filter(([id], index) => index < MAX_OWNERS || String(id) === chosenOwner);
  return {
    name: 'owner',
    title: message('column.owner'),
    choices: [
      { value: 'users', title: message('choice.users'), matches: (client) => ownersOf(client).length > 0 },
      { value: 'none', title: message('choice.none'), matches: (client) => ownersOf(client).length === 0 },
      ...offeredOwners.map(([id, username]) => ({
        value: String(id),
        title: username,
        matches: (client: Client) => ownersOf(client).some(({ userId }) => users.find(userId)?.id === id),
      })),
    ],
  };
}

/**
 * Defines the list of all applications, for administrators.
 * @param chosenOwner the value of the owner filter: a user id, `users` or `none`; empty if no filter is set
 */
export function applicationList(
  deps: ApplicationListDeps,
  clients: readonly Client[],
  chosenOwner: string,
): PageList<Client> {
  const { users } = deps;
  const ownerNames = (client: Client): readonly string[] =>
    adminMembers(ownersOf(client), users).map(({ username }) => username);
  return {
    name: message('listed.applications'),
    countMessage: 'listed.applications.count',
    fileName: 'applications',
    searchLabel: message('search.name-owner-or-client-id'),
    id: ({ registeredPosition }) => registeredPosition,
    texts: (client) => [client.name, client.clientId, ...ownerNames(client)],
    filters: [TYPE_FILTER, STATE_FILTER, ownerFilter(clients, users, chosenOwner)],
    columns: [
      APPLICATION,
      textColumn('client_id', message('column.client-id'), ({ clientId }) => clientId, 'file'),
      textColumn('state', message('column.state'), stateOf, stateCell),
      textColumn(
        'type',
        message('column.type'),
        ({ clientType }) => clientType,
        ({ clientType }) => ({ text: message(clientType === 'confidential' ? 'value.confidential' : 'value.public') }),
      ),
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
        (client) => ownerNames(client).join(', '),
        (client) => ownerCell(client, users),
      ),
      textColumn(
        'redirect_uris',
        message('column.redirect-uris'),
        ({ redirectUris }) => redirectUris.join(' '),
        'file',
      ),
      {
        name: 'tokens',
        title: message('column.tokens-at-most'),
        kind: 'number',
        value: (client) => maxTokens(client, deps) ?? null,
        cell: (client) => tokensCell(maxTokens(client, deps)),
      },
      LAST_USED,
      REGISTERED,
    ],
    sort: { by: 'registered', direction: 'descending' },
    empty: {
      icon: 'app-window',
      text: message('empty.applications'),
      action: { href: '/admin/applications/register/', text: message('empty.applications.action') },
    },
  };
}

type ClientState = 'disabled' | 'test' | 'live';

function stateOf({ mode, disabledAt }: Client): ClientState {
  if (disabledAt !== undefined) return 'disabled';
  return mode === 'test' ? 'test' : 'live';
}

const STATE_CELLS = {
  live: { text: message('choice.live'), tone: 'good' },
  test: { text: message('choice.test'), tone: 'warning' },
  disabled: { text: message('choice.disabled'), tone: 'danger' },
} as const satisfies Readonly<Record<ClientState, Cell>>;

const stateCell = (client: Client): Cell => STATE_CELLS[stateOf(client)];

function tokensCell(count: number | undefined): Cell {
  if (count === undefined) return { text: message('list.unknown'), none: true };
  return count === 0 ? EMPTY_CELL : { text: message('value.count', { count }) };
}

function ownerCell(client: Client, users: Pick<Users, 'find'>): Cell {
  const [first, ...otherOwners] = adminMembers(ownersOf(client), users);
  if (first === undefined) return { text: message('list.none'), none: true };
  if (otherOwners.length === 0) return { text: first.username, href: `/admin/users/${first.id}/` };
  return {
    text: message('value.others', { name: first.username, count: otherOwners.length }),
    href: `/admin/applications/${encodeURIComponent(client.clientId)}/people/`,
  };
}

/** The list of the applications that a user owns. */
export const APPLICATIONS_OF_USER: PageList<Client> = {
  name: message('listed.applications'),
  countMessage: 'listed.applications.count',
  fileName: 'applications',
  searchLabel: message('search.name-or-client-id'),
  id: ({ registeredPosition }) => registeredPosition,
  texts: ({ name, clientId }) => [name, clientId],
  filters: [TYPE_FILTER, STATE_FILTER],
  columns: [APPLICATION, CLIENT_ID, REGISTERED, LAST_USED],
  sort: { by: 'registered', direction: 'descending' },
  empty: { icon: 'app-window', text: message('empty.applications-of-user'), action: null },
};
