import type { ClientId, EpochSeconds, UserId } from '../../domain/values.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { LiveGrant } from '../../projections/live-grant.ts';
import type { User, Users } from '../../projections/users.ts';
import { createAuthorizations, type Authorization } from './authorizations.ts';

export interface AuthorizedApplication extends Authorization<LiveGrant> {
  readonly clientId: ClientId;
  readonly name: string;
}

export interface AuthorizationLookups {
  readonly grants: Pick<Grants, 'listByUser'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly now: () => EpochSeconds;
}

/**
 * Returns the applications that a user has authorized, the most recently authorized first. The grants of each
 * application are also newest first.
 */
export function listAuthorizedApplications(
  userId: UserId,
  { grants: liveGrants, clients, now }: AuthorizationLookups,
): readonly AuthorizedApplication[] {
  const grants = liveGrants.listByUser(userId, now());
  return combineNewestFirst(grants, ({ clientId }) => clientId).map((authorization) => {
    const { clientId } = authorization.grants[0] as LiveGrant;
    return { ...authorization, clientId, name: clients.find(clientId)?.name ?? clientId };
  });
}

/** A user who has authorized an application. */
export interface AuthorizingUser extends AuthorizedApplication {
  readonly user: User;
}

/** Returns the users who gave the application these grants, the user with the most recent grant first. */
export function listAuthorizingUsers(
  { clientId, name }: Pick<Client, 'clientId' | 'name'>,
  grants: readonly LiveGrant[],
  users: Pick<Users, 'find'>,
): readonly AuthorizingUser[] {
  return combineNewestFirst(grants, ({ userId }) => userId).flatMap((authorization) => {
    const user = users.find((authorization.grants[0] as LiveGrant).userId);
    return user === undefined ? [] : { ...authorization, clientId, name, user };
  });
}

/** Combines the grants that have the same key, the most recently authorized first. */
function combineNewestFirst(
  grants: readonly LiveGrant[],
  keyOf: (grant: LiveGrant) => string,
): readonly Authorization<LiveGrant>[] {
  const authorizations = createAuthorizations(keyOf);
  grants.toSorted((a, b) => b.grantedPosition - a.grantedPosition).forEach(authorizations.add);
  return authorizations.all();
}

/** Returns the application if the user has authorized it. */
export function findAuthorizedApplication(
  userId: UserId,
  clientId: string,
  lookups: AuthorizationLookups,
): AuthorizedApplication | undefined {
  return listAuthorizedApplications(userId, lookups).find((application) => application.clientId === clientId);
}
