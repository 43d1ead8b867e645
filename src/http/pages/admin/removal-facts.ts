import { ownersOf } from '../../../domain/members.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Activity } from '../../../projections/activity.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { ExchangePolicies } from '../../../projections/exchange-policies.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Groups } from '../../../projections/groups.ts';
import type { TrustedIssuers } from '../../../projections/trusted-issuers.ts';
import type { User, Users } from '../../../projections/users.ts';
import { countAuthorizations } from '../applications/people-page.ts';
import { joined } from '../lists/page-list.ts';
import { adminMembers } from './application-people.ts';
import type { RemovalFact } from './locals.ts';

export interface ApplicationRemovalParts {
  readonly grants: Pick<Grants, 'countByClient'>;
  readonly activity: Pick<Activity, 'upperBoundWithin' | 'issuedTo'>;
  readonly users: Pick<Users, 'find'>;
  readonly exchangePolicies: Pick<ExchangePolicies, 'all'>;
  readonly trustedIssuers: Pick<TrustedIssuers, 'all'>;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly accessTokenLifetimeSeconds: number };
}

/** The data that ends with the application. */
export function factsOfApplication(client: Client, parts: ApplicationRemovalParts): readonly RemovalFact[] {
  const { clientId } = client;
  const { users, grants, isAll } = countAuthorizations(parts.grants, client, parts.now());
  const tokens = mostTokens(client, parts);
  const owners = adminMembers(ownersOf(client), parts.users).map(({ username }) => username);
  const policies = parts.exchangePolicies.all().filter((policy) => isFor(clientId, policy));
  const issuers = parts.trustedIssuers
    .all()
    .filter(({ clients }) => clients.some((each) => each.clientId === clientId));
  return [
    { title: message('admin.users'), text: message(isAll ? 'removal.users' : 'removal.many-users', { count: users }) },
    {
      title: message('deletion.authorizations'),
      text:
        grants === 0 && isAll
          ? message('deletion.no-authorizations')
          : message(isAll ? 'deletion.authorization-count' : 'deletion.many-authorizations', { count: grants }),
    },
    {
      title: message('app-form.access-tokens'),
      text: tokens === undefined ? message('deletion.all-tokens') : message('deletion.token-count', { count: tokens }),
    },
    { title: message('removal.owners'), text: named('removal.owners-count', owners) },
    { title: message('removal.policies'), text: message('removal.policies-count', { count: policies.length }) },
    { title: message('removal.issuers'), text: message('removal.issuers-count', { count: issuers.length }) },
  ];
}

const isFor = (clientId: string, policy: { readonly clientId: string; readonly subjectClientId: string }): boolean =>
  policy.clientId === clientId || policy.subjectClientId === clientId;

/** An upper bound of the application's valid access tokens; undefined if the counts do not go back far enough. */
export function mostTokens(
  { clientId }: Pick<Client, 'clientId'>,
  { activity, now, settings }: Pick<ApplicationRemovalParts, 'activity' | 'now' | 'settings'>,
): number | undefined {
  return activity.upperBoundWithin(clientId, settings.accessTokenLifetimeSeconds, now());
}

export interface UserRemovalParts {
  readonly grants: Pick<Grants, 'listByUser'>;
  readonly clients: Pick<Clients, 'countOwnedBy'>;
  readonly groups: Pick<Groups, 'of'>;
  readonly loginSessions: Pick<LoginSessions, 'ofUser'>;
  readonly now: () => EpochSeconds;
}

/** The data that ends with the account. */
export function factsOfUser({ userId }: User, parts: UserRemovalParts): readonly RemovalFact[] {
  const now = parts.now();
  const authorized = new Set(parts.grants.listByUser(userId, now).map(({ clientId }) => clientId)).size;
  const groups = parts.groups.of(userId).map(({ name }) => name);
  const [sessions, owned] = [parts.loginSessions.ofUser(userId, now).length, parts.clients.countOwnedBy(userId)];
  return [
    { title: message('removal.sessions'), text: message('removal.sessions-count', { count: sessions }) },
    { title: message('removal.authorized'), text: message('removal.authorized-count', { count: authorized }) },
    { title: message('removal.owned'), text: message('removal.owned-count', { count: owned }) },
    { title: message('removal.groups'), text: named('removal.groups-count', groups) },
  ];
}

/** The message with the names and their number as values. */
export function named(
  key: 'removal.owners-count' | 'removal.groups-count' | 'removal.providers-count',
  names: readonly string[],
): Text {
  return message(key, { count: names.length, names: joined(names) });
}
