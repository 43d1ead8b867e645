import { presentationFromJson } from '../domain/presentation.ts';
import { openIdFromJson, openIdJson } from '../domain/openid-settings.ts';
import { securityJson, type SecurityJson } from '../domain/security-settings.ts';
import { normalizeGroupName } from '../domain/group.ts';
import { normalizeUserName } from '../domain/user-name.ts';
import type { ApplicationEntry, UserEntry } from './import/entry.ts';
import type { Client } from '../projections/clients.ts';
import type { User } from '../projections/users.ts';

/**
 * Returns the fields in which an existing account differs from `entry`. Passwords are compared only as imported hashes.
 * Additional groups, and an e-mail address that has been verified here, do not count as differences.
 */
export function userDifferences(user: User, groups: readonly string[], entry: UserEntry): readonly string[] {
  return differingFields({
    'e-mail': user.email === entry.email,
    'verified e-mail': user.emailVerified || !entry.email_verified,
    'first name': user.firstName === entry.first_name,
    'last name': user.lastName === entry.last_name,
    active: user.active === entry.active,
    roles: haveSameElements(user.roles, entry.roles),
    groups: entry.groups.every((name) => groups.includes(normalizeGroupName(name))),
    password: !hashesDiffer(user.passwordHash, entry.password_hash),
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
    owner: entry.owner === null ? owners.length === 0 : owners.includes(normalizeUserName(entry.owner)),
    secret:
      client.secret?.algorithm !== 'pbkdf2-sha256' || !hashesDiffer(client.secret.verifier, entry.client_secret_hash),
  });
}

/** Returns the client's security settings, overridden by those in the entry. */
function expectedSecurity({ security }: Client, entry: ApplicationEntry): SecurityJson {
  const currentSettings = securityJson(security);
  const specifiedSettings = Object.keys(currentSettings).flatMap((name) => {
    const value = entry[name as keyof SecurityJson];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...currentSettings, ...(Object.fromEntries(specifiedSettings) as Partial<SecurityJson>) };
}

function compareMembers<Json extends object>(current: Json, entry: Json): Readonly<Record<string, boolean>> {
  const entryValues = new Map<string, unknown>(Object.entries(entry));
  const comparisons = Object.entries(current).map(([name, value]: [string, unknown]) => {
    const entryValue = entryValues.get(name);
    const isSame =
      Array.isArray(value) && Array.isArray(entryValue) ? haveSameElements(value, entryValue) : value === entryValue;
    return [name.replaceAll('_', ' '), isSame] as const;
  });
  return Object.fromEntries(comparisons);
}

function differingFields(equality: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(equality)
    .filter(([, isSame]) => !isSame)
    .map(([name]) => name);
}

function haveSameElements(left: readonly string[], right: readonly string[]): boolean {
  return new Set(left).size === new Set([...left, ...right]).size && new Set(right).size === new Set(left).size;
}

/** Reports whether the hashes are known to differ. A hash that this server has upgraded cannot be compared. */
function hashesDiffer(storedHash: string, importedHash: string | undefined): boolean {
  return importedHash !== undefined && storedHash.startsWith('pbkdf2_') && importedHash !== storedHash;
}
