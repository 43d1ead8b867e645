import type {
  ClientForecast,
  IssuerForecast,
  ProviderForecast,
  ResourceForecast,
} from '../../../audit/queries/removal-forecasts.ts';
import { rolesText } from '../../../audit/queries/roles-text.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { AdministratorLogins } from '../../../accounts/administrator-logins.ts';
import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Groups } from '../../../projections/groups.ts';
import type { User, Users } from '../../../projections/users.ts';
import { joinItems } from '../lists/page-list.ts';
import type { ActionFact } from './locals.ts';

/** Describes the effects of removing an application. */
export function applicationFacts(forecast: ClientForecast, users: Pick<Users, 'find'>): readonly ActionFact[] {
  const owners = forecast.owners.flatMap((userId) => users.find(userId)?.username ?? []);
  return [
    ...accessFacts(forecast),
    { title: message('removal.owners'), text: messageWithNames('removal.owners-count', owners) },
    { title: message('removal.policies'), text: message('removal.policies-count', { count: forecast.policies }) },
    { title: message('removal.issuers'), text: message('removal.issuers-count', { count: forecast.issuers }) },
  ];
}

/** Describes an application's access: its users, authorizations and access tokens. */
export function accessFacts(access: ClientForecast): readonly ActionFact[] {
  const { grants, isExact, maxTokens } = access;
  return [
    {
      title: message('admin.users'),
      text: message(isExact ? 'removal.users' : 'removal.many-users', { count: access.users }),
    },
    {
      title: message('deletion.authorizations'),
      text:
        grants === 0 && isExact
          ? message('deletion.no-authorizations')
          : message(isExact ? 'deletion.authorization-count' : 'deletion.many-authorizations', { count: grants }),
    },
    {
      title: message('app-form.access-tokens'),
      text: maxTokens === null ? message('deletion.all-tokens') : message('deletion.token-count', { count: maxTokens }),
    },
  ];
}

/** Describes the rules that refer to a resource server, and the access that is restricted to it. */
export function resourceFacts(forecast: ResourceForecast): readonly ActionFact[] {
  const exactness = { exact: forecast.isExact ? 'yes' : 'no' } as const;
  return [
    { title: message('removal.scopes'), text: message('removal.number', { count: forecast.scopes }) },
    {
      title: message('admin.applications'),
      text: message('removal.resource-applications', { ...exactness, count: forecast.applications }),
    },
    {
      title: message('app-form.access-tokens'),
      text: message('removal.resource-tokens', { ...exactness, count: forecast.tokens, ending: forecast.endingTokens }),
    },
    {
      title: message('deletion.authorizations'),
      text: message('removal.resource-grants', { ...exactness, count: forecast.grants }),
    },
    { title: message('removal.policies'), text: message('removal.names-resource', { count: forecast.policies }) },
    { title: message('removal.issuers'), text: message('removal.names-resource', { count: forecast.issuers }) },
  ];
}

/** Describes the access that ends when an issuer is no longer trusted. */
export function issuerFacts(forecast: IssuerForecast): readonly ActionFact[] {
  const exactness = { exact: forecast.isExact ? 'yes' : 'no' } as const;
  return [
    { title: message('admin.users'), text: message('removal.about', { ...exactness, count: forecast.users }) },
    {
      title: message('deletion.authorizations'),
      text: message('removal.about', { ...exactness, count: forecast.grants }),
    },
    {
      title: message('app-form.access-tokens'),
      text: message('removal.about', { ...exactness, count: forecast.tokens }),
    },
  ];
}

/** Describes the linked accounts of a login provider, and the users whom its removal would lock out. */
export function providerFacts(forecast: ProviderForecast): readonly ActionFact[] {
  return [
    { title: message('removal.accounts'), text: message('removal.number', { count: forecast.accounts }) },
    { title: message('admin.users'), text: message('removal.number', { count: forecast.users }) },
    { title: message('removal.locked-out'), text: message('removal.locked-out-count', { count: forecast.lockedOut }) },
  ];
}

export interface UserRemovalDeps {
  readonly grants: Pick<Grants, 'listByUser'>;
  readonly clients: Pick<Clients, 'countOwnedBy' | 'find'>;
  readonly groups: Pick<Groups, 'listByUser'>;
  readonly loginSessions: Pick<LoginSessions, 'listByUser'>;
  readonly now: () => EpochSeconds;
}

/** Describes a user's sessions, authorized and owned applications, groups and roles. */
export function userFacts({ userId, roles }: User, deps: UserRemovalDeps): readonly ActionFact[] {
  const now = deps.now();
  const authorizedCount = new Set(deps.grants.listByUser(userId, now).map(({ clientId }) => clientId)).size;
  const groups = deps.groups.listByUser(userId).map(({ name }) => name);
  const sessionCount = deps.loginSessions.listByUser(userId, now).length;
  const ownedCount = deps.clients.countOwnedBy(userId);
  return [
    { title: message('removal.sessions'), text: message('removal.sessions-count', { count: sessionCount }) },
    { title: message('removal.authorized'), text: message('removal.authorized-count', { count: authorizedCount }) },
    { title: message('removal.owned'), text: message('removal.owned-count', { count: ownedCount }) },
    { title: message('removal.groups'), text: messageWithNames('removal.groups-count', groups) },
    { title: message('roles.legend'), text: rolesText(roles) },
  ];
}

/** Further users are only counted. */
const MAX_NAMED_USERS = 5;

/** Names the other administrators who could log in and undo a change that an administrator makes to their account. */
export function otherAdministratorsFact(
  { userId }: User,
  deps: {
    readonly users: Pick<Users, 'all'>;
    readonly administratorLogins: Pick<AdministratorLogins, 'canLogIn'>;
  },
): ActionFact {
  const { users, administratorLogins } = deps;
  const administrators = users.all().filter((user) => user.userId !== userId && administratorLogins.canLogIn(user));
  return { title: message('removal.administrators'), text: namedUsers(administrators) };
}

/** Names the first few users and counts the others. */
export function namedUsers(users: readonly Pick<User, 'username'>[]): Text {
  if (users.length === 0) return message('list.none');
  const usernames = users.slice(0, MAX_NAMED_USERS).map(({ username }) => username);
  return message('removal.administrators-named', {
    names: { names: usernames },
    others: users.length - usernames.length,
  });
}

/** Returns the message with the names and their number as its values. */
export function messageWithNames(
  key: 'removal.owners-count' | 'removal.groups-count' | 'removal.providers-count',
  names: readonly string[],
): Text {
  return message(key, { count: names.length, names: joinItems(names) });
}
