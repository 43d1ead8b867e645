import type { Role } from './events.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { EpochSeconds, ProviderId } from './values.ts';

/** An account at a provider, as described by its ID token and userinfo. */
export interface UpstreamIdentity {
  readonly providerId: ProviderId;
  readonly issuer: string;
  /** Unique at the issuer, and never reused there. */
  readonly subject: string;
  /** Empty if the provider reports none. */
  readonly email: string;
  /** Whether the provider confirms that the user receives mail at the address. */
  readonly isEmailVerified: boolean;
  /** Like the other names, empty if the provider reports none. */
  readonly preferredName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
  /** When the user authenticated there; null if the provider does not report it. */
  readonly authenticatedAt: EpochSeconds | null;
  /** Whether the provider reports a second factor that the operator accepts. */
  readonly hasSecondFactor: boolean;
}

type Claims = Readonly<Record<string, unknown>>;
type ClaimMappingSettings = Pick<ProviderSettings, 'groupsClaim' | 'secondFactorValues'>;

/** Longer values and groups beyond the limit are ignored. */
const MAX_TEXT_LENGTH = 254;
const MAX_GROUPS = 1_000;

/** Returns the identity described by verified claims. Claims of the wrong type are ignored. */
export function identityOf(
  claims: Claims,
  verifiedIdentity: Pick<UpstreamIdentity, 'providerId' | 'issuer' | 'subject'>,
  settings: ClaimMappingSettings,
): UpstreamIdentity {
  const { auth_time: authTime } = claims;
  return {
    ...verifiedIdentity,
    email: parseText(claims['email']),
    isEmailVerified: claims['email_verified'] === true,
    preferredName: parseText(claims['preferred_username']),
    firstName: parseText(claims['given_name']),
    lastName: parseText(claims['family_name']),
    groups: settings.groupsClaim === null ? [] : parseTextList(claimAt(claims, settings.groupsClaim)),
    authenticatedAt: typeof authTime === 'number' && authTime >= 0 ? (Math.floor(authTime) as EpochSeconds) : null,
    hasSecondFactor: [...parseTextList(claims['amr']), parseText(claims['acr'])].some((value) =>
      settings.secondFactorValues.includes(value),
    ),
  };
}

/**
 * Reports whether the ID token lacks the e-mail address, or groups that the settings need. If so, userinfo may contain
 * them.
 */
export function lacksClaims(claims: Claims, settings: ClaimMappingSettings): boolean {
  const { groupsClaim } = settings;
  return claims['email'] === undefined || (groupsClaim !== null && claimAt(claims, groupsClaim) === undefined);
}

/**
 * Returns a user's roles after a login: the roles that the groups grant, and earlier roles that the provider does not
 * determine.
 */
export function rolesAfterLogin(
  currentRoles: readonly Role[],
  groups: readonly string[],
  { roles: roleMappings }: Pick<ProviderSettings, 'roles'>,
): readonly Role[] {
  const mappedRoles = roleMappings.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  const otherRoles = currentRoles.filter((role) => !roleMappings.some((mapping) => mapping.role === role));
  return [...new Set([...otherRoles, ...mappedRoles])];
}

/** Returns the names of the local groups that a login adds the user to and removes the user from. */
export function groupChangesAtLogin(
  groups: readonly string[],
  { groups: groupMappings }: Pick<ProviderSettings, 'groups'>,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const added = [...new Set(groupMappings.filter(({ group }) => groups.includes(group)).map(({ name }) => name))];
  const removed = [...new Set(groupMappings.map(({ name }) => name))].filter((name) => !added.includes(name));
  return { added, removed };
}

/**
 * Reports whether the domain of the address is one of `domains`, ignoring case. If `domains` is empty, returns true for
 * every address.
 */
export function isInDomains(email: string, domains: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return domains.length === 0 || domains.includes(domain);
}

/** Returns the claim with that name, or the value at that path, such as `realm_access.roles` in Keycloak. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

function parseText(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? value : '';
}

function parseTextList(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values
    .slice(0, MAX_GROUPS)
    .map(parseText)
    .filter((text) => text !== '');
}
