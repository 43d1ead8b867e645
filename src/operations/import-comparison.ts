import { normalUserName } from '../domain/user-name.ts';
import type { ApplicationEntry, UserEntry } from './import/entry.ts';
import type { Client } from '../projections/clients.ts';
import type { User } from '../projections/users.ts';

/** What an account that is there has otherwise than `entry`; a password shows only where both are hashes from the old server. */
export function differencesOfUser(user: User, entry: UserEntry): readonly string[] {
  return named({
    'e-mail': user.email === entry.email,
    'first name': user.firstName === entry.first_name,
    'last name': user.lastName === entry.last_name,
    active: user.active === entry.active,
    roles: haveSame(user.roles, entry.roles),
    password: !areOtherHashes(user.passwordHash, entry.password_hash),
  });
}

/** What a client that is there has otherwise than `entry`; a secret likewise. */
export function differencesOfClient(client: Client, owner: string | null, entry: ApplicationEntry): readonly string[] {
  return named({
    name: client.name === entry.name.trim(),
    'client type': client.clientType === entry.client_type,
    'grant types': haveSame(client.grantTypes, entry.grant_types),
    'redirect URIs': haveSame(client.redirectUris, entry.redirect_uris),
    'allowed origins': haveSame(client.allowedOrigins, entry.allowed_origins),
    'skipping of consent': client.skipAuthorization === entry.skip_authorization,
    'access token format': client.accessTokenFormat === entry.access_token_format,
    owner: owner === (entry.owner === null ? null : normalUserName(entry.owner)),
    secret:
      client.secret?.algorithm !== 'pbkdf2-sha256' || !areOtherHashes(client.secret.verifier, entry.client_secret_hash),
  });
}

function named(same: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(same)
    .filter(([, isSame]) => !isSame)
    .map(([name]) => name);
}

function haveSame(some: readonly string[], others: readonly string[]): boolean {
  return new Set(some).size === new Set([...some, ...others]).size && new Set(others).size === new Set(some).size;
}

/** One that has its hash of this server by now may be the same for all that anybody knows. */
function areOtherHashes(kept: string, given: string | undefined): boolean {
  return given !== undefined && kept.startsWith('pbkdf2_') && given !== kept;
}
