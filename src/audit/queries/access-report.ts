import type { Login } from '../../domain/events.ts';
import { loginMethod, type LoginMethod } from '../../domain/login.ts';
import { ownersOf } from '../../domain/members.ts';
import type { Resources } from '../../domain/resource.ts';
import { formatScope, type Scope } from '../../domain/scope.ts';
import type { UserId } from '../../domain/values.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Groups } from '../../projections/groups.ts';
import type { Users } from '../../projections/users.ts';

/**
 * The projections that determine which access was valid at an earlier position. An authorization is valid while its
 * tokens can be used or refreshed, and an access token while a resource server would accept it. `log as-of`, its
 * page and the Health page agree, because they all use these projections. The projections depend only on the log, so
 * they include tokens that only the current settings exclude, such as tokens for a resource server that was removed
 * from the settings.
 */
export interface PastProjections {
  readonly users: Pick<Users, 'find' | 'findByName' | 'all'>;
  readonly clients: Pick<Clients, 'find' | 'all'>;
  readonly grants: Pick<Grants, 'all' | 'find'>;
  readonly exchanges: Pick<Exchanges, 'all' | 'find'>;
  readonly accessTokens: Pick<AccessTokens, 'live' | 'liveOrPaused'>;
  readonly groups: Pick<Groups, 'all' | 'membersOf'>;
}

/** Restricts the report. An undefined member matches everything. */
export interface AccessFilter {
  readonly user?: string | undefined;
  readonly client?: string | undefined;
  readonly scope?: string | undefined;
}

/** An account, group membership, application, grant or token, and the position of the event that created it. */
export interface AccessEntry {
  readonly kind: 'account' | 'membership' | 'application' | 'grant' | 'token';
  readonly position: number;
  /** The user name, "erased user" after an erasure, or null if no user is involved. */
  readonly user: string | null;
  /** Distinguishes users whose names have been erased. */
  readonly user_id: string | null;
  /** For a membership, the name of its group; otherwise null. */
  readonly group: string | null;
  readonly client: string | null;
  readonly application: string | null;
  /** The scope, or the roles of an account. */
  readonly scope: string;
  /** The URIs of the resource servers that the access is restricted to, separated by spaces; null if unrestricted. */
  readonly resource: string | null;
  /** When the access expires, in seconds since the epoch, or null if it does not expire. */
  readonly expires_at: number | null;
  /** How the user who authorized the access had authenticated, or null if no user authorized it. */
  readonly login: LoginMethod | 'not recorded' | null;
  /** When that user had authenticated, in seconds since the epoch, or null if that is not recorded. */
  readonly authenticated_at: number | null;
}

/** Replaces the name of a user who was erased. */
export const ERASED_USER = 'erased user';

/**
 * Lists who had access to what at `now`, in seconds since the epoch: accounts, group memberships, applications, grants,
 * then tokens.
 */
export function* reportAccess(
  projections: PastProjections,
  now: number,
  filter: AccessFilter,
): Generator<AccessEntry, void, void> {
  for (const entry of allEntries(projections, now))
    if (matchesFilter(entry, filter)) yield formatEntry(entry, projections);
}

/**
 * Returns the members of the filter that match no user or client in the projections. Without this check, an empty
 * report for a mistyped name would suggest that nobody had access. The name of an erased user is unknown, because the
 * log no longer contains it.
 */
export function findUnknownNames(
  { users, clients }: Pick<PastProjections, 'users' | 'clients'>,
  { user, client }: AccessFilter,
): readonly ('user' | 'client')[] {
  const isUnknownUser = user !== undefined && user !== ERASED_USER && users.findByName(user) === undefined;
  const isUnknownClient = client !== undefined && clients.find(client) === undefined;
  return [...(isUnknownUser ? (['user'] as const) : []), ...(isUnknownClient ? (['client'] as const) : [])];
}

/** An entry before formatting. Only matching entries are formatted. */
type UnformattedEntry = Omit<AccessEntry, 'application' | 'group' | 'scope' | 'resource'> & {
  readonly scope: Scope;
  readonly group?: string;
  readonly resource?: Resources | undefined;
};

function* allEntries(
  { users, clients, grants, exchanges, accessTokens, groups }: PastProjections,
  now: number,
): Generator<UnformattedEntry, void, void> {
  const nameOf = (userId: UserId): string => users.find(userId)?.username || ERASED_USER;
  const userFields = (userId: UserId | null) => ({ user: userId === null ? null : nameOf(userId), user_id: userId });

  for (const { userId, registeredPosition, roles } of users.all()) {
    const account = { client: null, scope: roles, expires_at: null, ...NO_LOGIN };
    yield { kind: 'account', position: registeredPosition, ...userFields(userId), ...account };
  }
  for (const { groupId, name: group } of groups.all()) {
    const membership = { group, client: null, scope: [], expires_at: null, ...NO_LOGIN };
    for (const { userId, position } of groups.membersOf(groupId))
      yield { kind: 'membership', position, ...userFields(userId), ...membership };
  }
  for (const client of clients.all()) yield* applicationEntries(client, userFields);
  for (const { clientId, userId, scope, resource, login, grantedPosition, expiresAt } of grants.all(now)) {
    if (clients.find(clientId)?.disabledAt !== undefined) continue; // its tokens are refused
    const grant = { client: clientId, scope, resource, expires_at: expiresAt, ...loginFields(login) };
    yield { kind: 'grant', position: grantedPosition, ...userFields(userId), ...grant };
  }
  for (const { grantId, clientId, userId, scope, resource, issuedPosition, expiresAt } of accessTokens.live(now)) {
    // An exchanged token has the login of the grant at its root.
    const login = userId === null ? NO_LOGIN : loginFields((grants.find(grantId) ?? exchanges.find(grantId))?.login);
    const token = { client: clientId, scope, resource, expires_at: expiresAt, ...login };
    yield { kind: 'token', position: issuedPosition, ...userFields(userId), ...token };
  }
}

/** Yields one entry for each owner, or one entry without a user if only administrators manage the application. */
function* applicationEntries(
  client: Client,
  userFields: (userId: UserId | null) => Pick<AccessEntry, 'user' | 'user_id'>,
): Generator<UnformattedEntry, void, void> {
  const application = { client: client.clientId, scope: [], expires_at: null, ...NO_LOGIN };
  const owners = ownersOf(client);
  if (owners.length === 0)
    yield { kind: 'application', position: client.registeredPosition, ...userFields(null), ...application };
  for (const { userId, position } of owners)
    yield { kind: 'application', position, ...userFields(userId), ...application };
}

const NO_LOGIN = { login: null, authenticated_at: null } as const;

function loginFields(login: Login | undefined): Pick<AccessEntry, 'login' | 'authenticated_at'> {
  return login === undefined
    ? { login: 'not recorded', authenticated_at: null }
    : { login: loginMethod(login), authenticated_at: login.authTime };
}

function matchesFilter(entry: UnformattedEntry, { user, client, scope }: AccessFilter): boolean {
  return (
    (user === undefined || entry.user === user) &&
    (client === undefined || entry.client === client) &&
    (scope === undefined || entry.scope.includes(scope))
  );
}

function formatEntry(
  { scope, group, resource = [], ...entry }: UnformattedEntry,
  { clients }: PastProjections,
): AccessEntry {
  const { kind, position, user, user_id, client, expires_at, login, authenticated_at } = entry;
  const application = client === null ? null : (clients.find(client)?.name ?? null);
  return {
    kind,
    position,
    user,
    user_id,
    group: group ?? null,
    client,
    application,
    scope: formatScope(scope),
    resource: resource.length === 0 ? null : resource.join(' '),
    expires_at,
    login,
    authenticated_at,
  };
}
