import type { Role } from './events.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { EpochSeconds, ProviderId } from './values.ts';

/** An account at a provider, as an ID token and userinfo describe it. */
export interface UpstreamIdentity {
  readonly providerId: ProviderId;
  readonly issuer: string;
  /** Unique at the issuer, and never reused there. */
  readonly subject: string;
  /** Empty if the provider reports none. */
  readonly email: string;
  /** Whether the provider confirms that the user receives mail at the address. */
  readonly isEmailVerified: boolean;
  /** Empty if the provider reports none, as are the other names. */
  readonly preferredName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
  /** The time at which the user authenticated there; null if the provider does not report it. */
  readonly authenticatedAt: EpochSeconds | null;
  /** Whether the provider reports a second factor that the operator accepts. */
  readonly hasSecondFactor: boolean;
}

type Claims = Readonly<Record<string, unknown>>;
type MappedSettings = Pick<ProviderSettings, 'groupsClaim' | 'secondFactorValues'>;

/** Longer values and groups beyond the limit are ignored. */
const MAX_TEXT_LENGTH = 254;
const MAX_GROUPS = 1_000;

/** Returns the identity that verified claims describe. Claims of the wrong type are ignored. */
export function identityOf(
  claims: Claims,
  verified: Pick<UpstreamIdentity, 'providerId' | 'issuer' | 'subject'>,
  settings: MappedSettings,
): UpstreamIdentity {
  const { auth_time: authTime } = claims;
  return {
    ...verified,
    email: textOf(claims['email']),
    isEmailVerified: claims['email_verified'] === true,
    preferredName: textOf(claims['preferred_username']),
    firstName: textOf(claims['given_name']),
    lastName: textOf(claims['family_name']),
    groups: settings.groupsClaim === null ? [] : listOf(memberAt(claims, settings.groupsClaim)),
    authenticatedAt: typeof authTime === 'number' && authTime >= 0 ? (Math.floor(authTime) as EpochSeconds) : null,
    hasSecondFactor: [...listOf(claims['amr']), textOf(claims['acr'])].some((value) =>
      settings.secondFactorValues.includes(value),
    ),
  };
}

/**
 * Reports whether the ID token lacks the e-mail address, or groups that the settings need. Userinfo could contain them.
 */
export function lacksClaims(claims: Claims, settings: MappedSettings): boolean {
  const { groupsClaim } = settings;
  return claims['email'] === undefined || (groupsClaim !== null && memberAt(claims, groupsClaim) === undefined);
}

/**
 * Returns the roles of a user after a login: the roles that the groups grant, and earlier roles that the provider does
 * not determine.
 */
export function rolesAfterLogin(
  before: readonly Role[],
  groups: readonly string[],
  { roles: mapped }: Pick<ProviderSettings, 'roles'>,
): readonly Role[] {
  const mappedRoles = mapped.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  const otherRoles = before.filter((role) => !mapped.some((each) => each.role === role));
  return [...new Set([...otherRoles, ...mappedRoles])];
}

/** Returns the names of the groups here to which a login adds the user, and from which it removes the user. */
export function groupChangesAtLogin(
  groups: readonly string[],
  { groups: mapped }: Pick<ProviderSettings, 'groups'>,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const added = [...new Set(mapped.filter(({ group }) => groups.includes(group)).map(({ name }) => name))];
  const removed = [...new Set(mapped.map(({ name }) => name))].filter((name) => !added.includes(name));
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

/** Returns the member with that name or path, such as `realm_access.roles` in Keycloak. */
function memberAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Claims)[part];
  }
  return found;
}

function textOf(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? value : '';
}

function listOf(value: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed
    .slice(0, MAX_GROUPS)
    .map(textOf)
    .filter((text) => text !== '');
}
