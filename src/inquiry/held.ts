import type { Resources } from '../domain/resource.ts';
import { formatScope, type Scope } from '../domain/scope.ts';
import type { UserId } from '../domain/values.ts';
import type { AccessTokens } from '../projections/access-tokens.ts';
import type { Clients } from '../projections/clients.ts';
import type { Grants } from '../projections/grants.ts';
import type { Users } from '../projections/users.ts';

/** What held at an earlier position. */
export interface PastProjections {
  readonly users: Pick<Users, 'find' | 'all'>;
  readonly clients: Pick<Clients, 'find' | 'all'>;
  readonly grants: Pick<Grants, 'all'>;
  readonly accessTokens: Pick<AccessTokens, 'live'>;
}

/** What is asked for; what is not given leaves nothing out. */
export interface HeldBy {
  readonly user?: string | undefined;
  readonly client?: string | undefined;
  readonly scope?: string | undefined;
}

/** One thing that held, and the position of the event that gave it. */
export interface Held {
  readonly kind: 'account' | 'application' | 'grant' | 'token';
  readonly position: number;
  /** User name; "erased user" once nobody can tell any more; null where nobody is concerned. */
  readonly user: string | null;
  readonly client: string | null;
  readonly application: string | null;
  readonly scope: string;
  /** The URIs of the resource servers that it is for; null: all. */
  readonly resource: string | null;
  /** Seconds since the epoch; null: until it is ended. */
  readonly expires_at: number | null;
}

/** In place of a name that nobody can tell any more. */
export const ERASED = 'erased user';

/** Who held which access at `now`, in seconds since the epoch: accounts, applications, grants, then tokens. */
export function* heldAccess(projections: PastProjections, now: number, by: HeldBy): Generator<Held, void, void> {
  for (const found of everything(projections, now)) if (isAskedFor(found, by)) yield described(found, projections);
}

/** As a projection has it: what nobody asked for is not written out. */
type Found = Omit<Held, 'application' | 'scope' | 'resource'> & { readonly scope: Scope; readonly resource?: Resources | undefined };

function* everything({ users, clients, grants, accessTokens }: PastProjections, now: number): Generator<Found, void, void> {
  const nameOf = (userId: UserId | null): string | null => (userId === null ? null : users.find(userId)?.username || ERASED);

  for (const { username, registeredPosition, roles } of users.all()) {
    yield { kind: 'account', position: registeredPosition, user: username || ERASED, client: null, scope: roles, expires_at: null };
  }
  for (const { clientId, ownerId, registeredPosition } of clients.all()) {
    yield { kind: 'application', position: registeredPosition, user: nameOf(ownerId), client: clientId, scope: [], expires_at: null };
  }
  for (const { clientId, userId, scope, resource, grantedPosition, expiresAt } of grants.all(now)) {
    yield { kind: 'grant', position: grantedPosition, user: nameOf(userId), client: clientId, scope, resource, expires_at: expiresAt };
  }
  for (const { clientId, userId, scope, resource, issuedPosition, expiresAt } of accessTokens.live(now)) {
    yield { kind: 'token', position: issuedPosition, user: nameOf(userId), client: clientId, scope, resource, expires_at: expiresAt };
  }
}

function isAskedFor(found: Found, { user, client, scope }: HeldBy): boolean {
  return (user === undefined || found.user === user)
    && (client === undefined || found.client === client)
    && (scope === undefined || found.scope.includes(scope));
}

function described({ kind, position, user, client, scope, resource = [], expires_at }: Found, { clients }: PastProjections): Held {
  const application = client === null ? null : (clients.find(client)?.name ?? null);
  return { kind, position, user, client, application, scope: formatScope(scope), resource: resource.length === 0 ? null : resource.join(' '), expires_at };
}
