import type { EpochSeconds } from '../domain/values.ts';
import type { Clients } from '../projections/clients.ts';
import type { Grants } from '../projections/grants.ts';
import type { Passkeys } from '../projections/passkeys.ts';
import type { Sessions } from '../projections/sessions.ts';
import type { User } from '../projections/users.ts';

/** Everything that is kept about a person, as JSON for them to take away: no hash and no key, which are of use to a thief alone. */
export type AccountExport = (user: User, now: EpochSeconds) => object;

export function createAccountExport({ clients, grants, passkeys, sessions }: {
  readonly clients: Pick<Clients, 'find' | 'ownedBy'>;
  readonly grants: Pick<Grants, 'ofUser'>;
  readonly passkeys: Pick<Passkeys, 'ofUser'>;
  readonly sessions: Pick<Sessions, 'ofUser'>;
}): AccountExport {
  return (user, now) => ({
    exported_at: instant(now),
    account: {
      id: user.id, user_id: user.userId, username: user.username, email: user.email, first_name: user.firstName, last_name: user.lastName,
      roles: user.roles, registered_position: user.registeredPosition,
    },
    sessions: sessions.ofUser(user.userId, now).map(({ startedAt, expiresAt, authentication }) => ({
      started_at: instant(startedAt), expires_at: instant(expiresAt), method: authentication?.method ?? null,
    })),
    passkeys: passkeys.ofUser(user.userId).map(({ name, addedAt, transports }) => ({ name, added_at: instant(addedAt), transports })),
    access_given: grants.ofUser(user.userId, now).map(({ clientId, scope, resource = [], grantedAt, expiresAt }) => ({
      client_id: clientId, application: clients.find(clientId)?.name ?? clientId, scope, resource,
      granted_at: instant(grantedAt), expires_at: expiresAt === null ? null : instant(expiresAt),
    })),
    applications: clients.ownedBy(user.userId).map((client) => ({
      client_id: client.clientId, name: client.name, client_type: client.clientType, grant_types: client.grantTypes, redirect_uris: client.redirectUris,
      allowed_origins: client.allowedOrigins, skip_authorization: client.skipAuthorization, restricted_scopes: client.restrictedScopes,
      access_token_format: client.accessTokenFormat, registered_at: instant(client.registeredAt),
    })),
  });
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
