import { openIdFromJson, openIdJson, type OpenIdJson } from '../domain/openid-settings.ts';
import { normalUserName } from '../domain/user-name.ts';
import type { ApplicationEntry, UserEntry } from './import/entry.ts';
import type { Client } from '../projections/clients.ts';
import type { User } from '../projections/users.ts';

/** The fields in which an existing account differs from `entry`. Passwords are compared only as imported hashes. */
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

/** The fields in which an existing client differs from `entry`. Secrets are compared only as imported hashes. */
export function clientDifferences(client: Client, owner: string | null, entry: ApplicationEntry): readonly string[] {
  return differingFields({
    name: client.name === entry.name.trim(),
    'client type': client.clientType === entry.client_type,
    'grant types': haveSameElements(client.grantTypes, entry.grant_types),
    'redirect URIs': haveSameElements(client.redirectUris, entry.redirect_uris),
    'allowed origins': haveSameElements(client.allowedOrigins, entry.allowed_origins),
    'skip authorization': client.skipAuthorization === entry.skip_authorization,
    'access token format': client.accessTokenFormat === entry.access_token_format,
    'access token algorithm':
      client.accessTokenAlgorithm === (entry.access_token_algorithm ?? client.accessTokenAlgorithm),
    ...haveSameOpenId(client, entry),
    owner: owner === (entry.owner === null ? null : normalUserName(entry.owner)),
    secret:
      client.secret?.algorithm !== 'pbkdf2-sha256' ||
      !areDifferentHashes(client.secret.verifier, entry.client_secret_hash),
  });
}

function haveSameOpenId({ openid }: Client, entry: ApplicationEntry): Readonly<Record<string, boolean>> {
  const entered = openIdJson(openIdFromJson(entry));
  const compared = Object.entries(openIdJson(openid)).map(([name, known]) => {
    const value: unknown = entered[name as keyof OpenIdJson];
    const isSame = Array.isArray(value) && Array.isArray(known) ? haveSameElements(known, value) : known === value;
    return [name.replaceAll('_', ' '), isSame];
  });
  return Object.fromEntries(compared) as Readonly<Record<string, boolean>>;
}

function differingFields(same: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(same)
    .filter(([, isSame]) => !isSame)
    .map(([name]) => name);
}

function haveSameElements(some: readonly string[], others: readonly string[]): boolean {
  return new Set(some).size === new Set([...some, ...others]).size && new Set(others).size === new Set(some).size;
}

/** A hash that this server has upgraded since the import cannot be compared. */
function areDifferentHashes(stored: string, imported: string | undefined): boolean {
  return imported !== undefined && stored.startsWith('pbkdf2_') && imported !== stored;
}
