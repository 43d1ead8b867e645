import { presentationFromJson } from '../domain/presentation.ts';
import { openIdFromJson, openIdJson } from '../domain/openid-settings.ts';
import { securityJson, type SecurityJson } from '../domain/security-settings.ts';
import { normalGroupName } from '../domain/group.ts';
import { normalUserName } from '../domain/user-name.ts';
import type { ApplicationEntry, UserEntry } from './import/entry.ts';
import type { Client } from '../projections/clients.ts';
import type { User } from '../projections/users.ts';

/**
 * Returns the fields in which an existing account differs from `entry`. Passwords are compared only as imported hashes.
 * It is no difference if the account has more groups, or a verified address.
 */
export function userDifferences(user: User, groups: readonly string[], entry: UserEntry): readonly string[] {
  return differingFields({
    'e-mail': user.email === entry.email,
    'verified e-mail': user.emailVerified || !entry.email_verified,
    'first name': user.firstName === entry.first_name,
    'last name': user.lastName === entry.last_name,
    active: user.active === entry.active,
    roles: haveSameElements(user.roles, entry.roles),
    groups: entry.groups.every((name) => groups.includes(normalGroupName(name))),
    password: !areDifferentHashes(user.passwordHash, entry.password_hash),
  });
}

/**
 * Returns the fields in which an existing client differs from `entry`. Secrets are compared only as imported hashes.
 * Registered keys are not compared.
 */
export function clientDifferences(
  client: Client,
  owners: readonly string[],
  entry: ApplicationEntry,
): readonly string[] {
  return differingFields({
    name: client.name === entry.name.trim(),
    'client type': client.clientType === entry.client_type,
    'application type': client.applicationType === (entry.application_type ?? client.applicationType),
    'grant types': haveSameElements(client.grantTypes, entry.grant_types),
    'redirect URIs': haveSameElements(client.redirectUris, entry.redirect_uris),
    'allowed origins': haveSameElements(client.allowedOrigins, entry.allowed_origins),
    'skip authorization': client.skipAuthorization === entry.skip_authorization,
    'access token format': client.accessTokenFormat === entry.access_token_format,
    'access token algorithm':
      client.accessTokenAlgorithm === (entry.access_token_algorithm ?? client.accessTokenAlgorithm),
    ...compareMembers(
      openIdJson(client.openid),
      openIdJson(
        openIdFromJson({ ...entry, id_token_algorithm: entry.id_token_algorithm ?? client.openid.idTokenAlgorithm }),
      ),
    ),
    ...compareMembers(securityJson(client.security), expectedSecurity(client, entry)),
    jwks_uri: client.authentication.keysUri === (entry.jwks_uri ?? client.authentication.keysUri),
    'authentication methods': haveSameElements(
      client.authentication.methods,
      entry.auth_methods ?? client.authentication.methods,
    ),
    presentation: JSON.stringify(client.presentation) === JSON.stringify(presentationFromJson(entry)),
    owner: entry.owner === null ? owners.length === 0 : owners.includes(normalUserName(entry.owner)),
    secret:
      client.secret?.algorithm !== 'pbkdf2-sha256' ||
      !areDifferentHashes(client.secret.verifier, entry.client_secret_hash),
  });
}

/** Returns the client's security settings, overridden by those of the entry. */
function expectedSecurity({ security }: Client, entry: ApplicationEntry): SecurityJson {
  const known = securityJson(security);
  const specified = Object.keys(known).flatMap((name) => {
    const value = entry[name as keyof SecurityJson];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...known, ...(Object.fromEntries(specified) as Partial<SecurityJson>) };
}

function compareMembers<Json extends object>(known: Json, entered: Json): Readonly<Record<string, boolean>> {
  const others = new Map<string, unknown>(Object.entries(entered));
  const compared = Object.entries(known).map(([name, one]: [string, unknown]) => {
    const other = others.get(name);
    const isSame = Array.isArray(one) && Array.isArray(other) ? haveSameElements(one, other) : one === other;
    return [name.replaceAll('_', ' '), isSame] as const;
  });
  return Object.fromEntries(compared);
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
