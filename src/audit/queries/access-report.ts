import type { Resources } from '../../domain/resource.ts';
import { formatScope, type Scope } from '../../domain/scope.ts';
import type { UserId } from '../../domain/values.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Users } from '../../projections/users.ts';

/**
 * What tells what is live, at present or at an earlier position. An authorization is live while tokens of it can be
 * used or refreshed, and an access token while an API would accept it: the projections' own queries say so, and
 * `log as-of`, its page and the page Health all ask those. They go by the log alone. What the settings in force take
 * away besides is not in it, such as a token for a resource server that is no longer in the settings.
 */
export interface PastProjections {
  readonly users: Pick<Users, 'find' | 'all'>;
  readonly clients: Pick<Clients, 'find' | 'all'>;
  readonly grants: Pick<Grants, 'all'>;
  readonly accessTokens: Pick<AccessTokens, 'live'>;
}

/** What is asked for; what is not given leaves nothing out. */
export interface AccessFilter {
  readonly user?: string | undefined;
  readonly client?: string | undefined;
  readonly scope?: string | undefined;
}

/** One thing that held, and the position of the event that gave it. */
export interface AccessEntry {
  readonly kind: 'account' | 'application' | 'grant' | 'token';
  readonly position: number;
  /** User name; "erased user" once nobody can tell any more; null where nobody is concerned. */
  readonly user: string | null;
  /** Tells users apart whose names nobody can tell any more. */
  readonly user_id: string | null;
  readonly client: string | null;
  readonly application: string | null;
  readonly scope: string;
  /** The URIs of the resource servers that it is for; null: all. */
  readonly resource: string | null;
  /** Seconds since the epoch; null: until it is ended. */
  readonly expires_at: number | null;
}

/** In place of a name that nobody can tell any more. */
export const ERASED_USER = 'erased user';

/** Who held which access at `now`, in seconds since the epoch: accounts, applications, grants, then tokens. */
export function* reportAccess(
  projections: PastProjections,
  now: number,
  by: AccessFilter,
): Generator<AccessEntry, void, void> {
  for (const found of allEntries(projections, now)) if (matchesFilter(found, by)) yield formatEntry(found, projections);
}

/** As a projection has it: what nobody asked for is not written out. */
type UnformattedEntry = Omit<AccessEntry, 'application' | 'scope' | 'resource'> & {
  readonly scope: Scope;
  readonly resource?: Resources | undefined;
};

function* allEntries(
  { users, clients, grants, accessTokens }: PastProjections,
  now: number,
): Generator<UnformattedEntry, void, void> {
  const nameOf = (userId: UserId): string => users.find(userId)?.username || ERASED_USER;
  const of = (userId: UserId | null) => ({ user: userId === null ? null : nameOf(userId), user_id: userId });

  for (const { userId, registeredPosition, roles } of users.all()) {
    const account = { client: null, scope: roles, expires_at: null };
    yield { kind: 'account', position: registeredPosition, ...of(userId), ...account };
  }
  for (const { clientId, ownerId, registeredPosition } of clients.all()) {
    const application = { client: clientId, scope: [], expires_at: null };
    yield { kind: 'application', position: registeredPosition, ...of(ownerId), ...application };
  }
  for (const { clientId, userId, scope, resource, grantedPosition, expiresAt } of grants.all(now)) {
    const grant = { client: clientId, scope, resource, expires_at: expiresAt };
    yield { kind: 'grant', position: grantedPosition, ...of(userId), ...grant };
  }
  for (const { clientId, userId, scope, resource, issuedPosition, expiresAt } of accessTokens.live(now)) {
    const token = { client: clientId, scope, resource, expires_at: expiresAt };
    yield { kind: 'token', position: issuedPosition, ...of(userId), ...token };
  }
}

function matchesFilter(found: UnformattedEntry, { user, client, scope }: AccessFilter): boolean {
  return (
    (user === undefined || found.user === user) &&
    (client === undefined || found.client === client) &&
    (scope === undefined || found.scope.includes(scope))
  );
}

function formatEntry({ scope, resource = [], ...found }: UnformattedEntry, { clients }: PastProjections): AccessEntry {
  const { kind, position, user, user_id, client, expires_at } = found;
  const application = client === null ? null : (clients.find(client)?.name ?? null);
  return {
    kind,
    position,
    user,
    user_id,
    client,
    application,
    scope: formatScope(scope),
    resource: resource.length === 0 ? null : resource.join(' '),
    expires_at,
  };
}
