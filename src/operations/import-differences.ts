import { normalUserName } from '../domain/user-name.ts';
import type { ApplicationEntry, UserEntry } from './import/entry.ts';
import type { Client } from '../projections/clients.ts';
import type { User } from '../projections/users.ts';

/** What an account that is there has otherwise than `entry`; a password shows only where both are hashes from the old server. */
export function userDifferences(user: User, entry: UserEntry): readonly string[] {
  return differingFields({
    'e-mail': user.email === entry.email,
    'first name': user.firstName === entry.first_name,
    'last name': user.lastName === entry.last_name,
    active: user.active === entry.active,
    roles: haveSameElements(user.roles, entry.roles),
    password: !areDifferentHashes(user.passwordHash, entry.password_hash),
  });
}

/** What a client that is there has otherwise than `entry`; a secret likewise. */
export function clientDifferences(client: Client, owner: string | null, entry: ApplicationEntry): readonly string[] {
  return differingFields({
    name: client.name === entry.name.trim(),
    'client type': client.clientType === entry.client_type,
    'grant types': haveSameElements(client.grantTypes, entry.grant_types),
    'redirect URIs': haveSameElements(client.redirectUris, entry.redirect_uris),
    'allowed origins': haveSameElements(client.allowedOrigins, entry.allowed_origins),
    'skipping of consent': client.skipAuthorization === entry.skip_authorization,
    'access token format': client.accessTokenFormat === entry.access_token_format,
    owner: owner === (entry.owner === null ? null : normalUserName(entry.owner)),
    secret:
      client.secret?.algorithm !== 'pbkdf2-sha256' ||
      !areDifferentHashes(client.secret.verifier, entry.client_secret_hash),
  });
}

function differingFields(same: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(same)
    .filter(([, isSame]) => !isSame)
    .map(([name]) => name);
}

function haveSameElements(some: readonly string[], others: readonly string[]): boolean {
  return new Set(some).size === new Set([...some, ...others]).size && new Set(others).size === new Set(some).size;
}

/** One that has its hash of this server by now may be the same for all that anybody knows. */
function areDifferentHashes(kept: string, given: string | undefined): boolean {
  return given !== undefined && kept.startsWith('pbkdf2_') && given !== kept;
}
