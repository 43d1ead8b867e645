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
 * Returns the applications that a user has authorized, the most recently authorized first. Their grants are in the same
 * order.
 */
export function authorizedApplications(
  userId: UserId,
  { grants: liveGrants, clients, now }: AuthorizationLookups,
): readonly AuthorizedApplication[] {
  const grants = liveGrants.listByUser(userId, now());
  return newestFirst(grants, ({ clientId }) => clientId).map((authorization) => {
    const { clientId } = authorization.grants[0] as LiveGrant;
    return { ...authorization, clientId, name: clients.find(clientId)?.name ?? clientId };
  });
}

/** A user who has authorized an application. */
export interface AuthorizingUser extends AuthorizedApplication {
  readonly user: User;
}

/** Returns the users who authorized the application with one of the grants, the most recent first. */
export function authorizingUsers(
  { clientId, name }: Pick<Client, 'clientId' | 'name'>,
  grants: readonly LiveGrant[],
  users: Pick<Users, 'find'>,
): readonly AuthorizingUser[] {
  return newestFirst(grants, ({ userId }) => userId).flatMap((authorization) => {
    const user = users.find((authorization.grants[0] as LiveGrant).userId);
    return user === undefined ? [] : { ...authorization, clientId, name, user };
  });
}

/** Combines the grants of each party, the most recently authorized first. */
function newestFirst(
  grants: readonly LiveGrant[],
  partyOf: (grant: LiveGrant) => string,
): readonly Authorization<LiveGrant>[] {
  const authorizations = createAuthorizations(partyOf);
  grants.toSorted((a, b) => b.grantedPosition - a.grantedPosition).forEach(authorizations.add);
  return authorizations.all();
}

/** Returns the application if the user has authorized it. */
export function findAuthorizedApplication(
  userId: UserId,
  clientId: string,
  lookups: AuthorizationLookups,
): AuthorizedApplication | undefined {
  return authorizedApplications(userId, lookups).find((application) => application.clientId === clientId);
}
