/** The kinds of providers for which this server has defaults. `custom` is any other OpenID provider. */
export const PROVIDER_PRESETS = ['google', 'entra', 'okta', 'auth0', 'gitlab', 'keycloak', 'custom'] as const;
export type ProviderPreset = (typeof PROVIDER_PRESETS)[number];

export const PROVIDER_AUTHENTICATION = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const;
/** The method with which this server authenticates at a provider's token endpoint (OpenID Connect Core §9). */
export type ProviderAuthentication = (typeof PROVIDER_AUTHENTICATION)[number];

export const LINKING_RULES = ['explicit', 'verified-email'] as const;
/**
 * The rule for linking an account at a provider to a user of this server: only the logged-in user links the account
 * (`explicit`), or this server also links it if both accounts have the same verified e-mail address.
 */
export type LinkingRule = (typeof LINKING_RULES)[number];

/** The settings of an OpenID provider through which users log in. */
export interface ProviderSettings {
  readonly preset: ProviderPreset;
  /** The name on the login page's button. */
  readonly name: string;
  /** Exactly the issuer in the provider's metadata, unless the issuer is for several Entra tenants. */
  readonly issuer: string;
  /** The Entra tenants whose users may log in; empty unless the issuer is for several tenants. */
  readonly tenants: readonly string[];
  /** This server's client id at the provider. */
  readonly clientId: string;
  readonly authentication: ProviderAuthentication;
  /** The client secret, sealed under one of this server's keys; null if this server authenticates without a secret. */
  readonly sealedSecret: string | null;
  readonly scopes: readonly string[];
  readonly linking: LinkingRule;
  /** Whether the first login of a user who has no account on this server creates an account. */
  readonly createsUsers: boolean;
  /**
   * The domains of the verified e-mail addresses for which accounts are created, or linked automatically; empty if
   * every domain is accepted.
   */
  readonly domains: readonly string[];
  /** The claim with the user's groups at the provider; null if this server ignores those groups. */
  readonly groupsClaim: string | null;
  /** The roles that members of the provider's groups get. Each login adds and removes the roles in this list. */
  readonly roles: readonly { readonly group: string; readonly role: 'administrator' | 'auditor' }[];
  /**
   * The local groups, by name, that members of the provider's groups join. Each login adds and removes these
   * memberships. Names of groups that do not exist are ignored.
   */
  readonly groups: readonly { readonly group: string; readonly name: string }[];
  /** The values of `amr` or `acr` that are accepted as a second factor; empty by default. */
  readonly secondFactorValues: readonly string[];
  /**
   * Whether the provider is required. If any provider is required, passwords and all providers that are not required
   * are disabled. Passkeys still work.
   */
  readonly required: boolean;
  /** Present while the provider is disabled: users cannot log in through it, but links and sessions are kept. */
  readonly disabled?: true | undefined;
}
