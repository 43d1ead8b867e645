/** Kinds of providers that this server has defaults for. `custom` is any other OpenID provider. */
export const PROVIDER_PRESETS = ['google', 'entra', 'okta', 'auth0', 'gitlab', 'keycloak', 'custom'] as const;
export type ProviderPreset = (typeof PROVIDER_PRESETS)[number];

export const PROVIDER_AUTHENTICATION = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const;
/** How this server authenticates at the token endpoint of a provider (OpenID Connect Core §9). */
export type ProviderAuthentication = (typeof PROVIDER_AUTHENTICATION)[number];

export const LINKING_RULES = ['explicit', 'verified-email'] as const;
/**
 * When an account at a provider is linked to a user here: only if the user, who is logged in, does it; or also if both
 * accounts have the same verified e-mail address.
 */
export type LinkingRule = (typeof LINKING_RULES)[number];

/** An OpenID provider with which users log in here, as the operator has set it up. */
export interface ProviderSettings {
  readonly preset: ProviderPreset;
  /** On the button of the login page. */
  readonly name: string;
  /** Exactly as in the metadata of the provider, except for Entra with several tenants. */
  readonly issuer: string;
  /** The tenants of Entra whose users may log in; empty if the issuer is that of one tenant. */
  readonly tenants: readonly string[];
  /** The id of this server at the provider. */
  readonly clientId: string;
  readonly authentication: ProviderAuthentication;
  /** The client secret, encrypted with a key of the server; null if this server authenticates without one. */
  readonly sealedSecret: string | null;
  readonly scopes: readonly string[];
  readonly linking: LinkingRule;
  /** Whether the first login creates an account for somebody who has none here. */
  readonly createsUsers: boolean;
  /**
   * The domains of verified e-mail addresses with which accounts are created, or linked without being asked; empty for
   * any.
   */
  readonly domains: readonly string[];
  /** The claim with the groups of the user; null if groups do not matter. */
  readonly groupsClaim: string | null;
  /** The roles of those who are in a group. A role in this list is given and taken away at each login. */
  readonly roles: readonly { readonly group: string; readonly role: 'administrator' | 'auditor' }[];
  /**
   * The groups here, by name, of those who are in a group there. Each login adds them and takes them away. A name that
   * no group has does nothing.
   */
  readonly groups: readonly { readonly group: string; readonly name: string }[];
  /** The values of `amr` or `acr` that count as a second factor here; none by default. */
  readonly secondFactorValues: readonly string[];
  /** Whether users log in only through providers that are required, and passwords are off. */
  readonly required: boolean;
}
