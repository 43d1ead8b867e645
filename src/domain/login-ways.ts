import type { ProviderSettings } from './provider-settings.ts';

/** A user's account at a provider, as a way to log in. */
export interface LinkedAccount {
  readonly providerId: string;
  /** The issuer of the account; null if unknown. */
  readonly issuer: string | null;
}

/** A user's ways to log in, including those that the settings of providers currently disable. */
export interface LoginWays<Link extends LinkedAccount = LinkedAccount> {
  readonly hasPassword: boolean;
  /** Whether the user has a passkey that browsers accept for this server's host. It works without a password. */
  readonly hasPasskey: boolean;
  readonly links: readonly Link[];
}

export type LoginProvider = Pick<ProviderSettings, 'issuer' | 'tenants' | 'required' | 'disabled'> & {
  readonly providerId: string;
};

/**
 * Returns a way for the user to log in, or undefined if the user is locked out. While a provider is required, passwords
 * and other providers are disabled. Second factors do not matter: a user without one is asked to set one up.
 */
export function wayToLogIn<Link extends LinkedAccount>(
  { hasPassword, hasPasskey, links }: LoginWays<Link>,
  providers: readonly LoginProvider[],
): 'password' | 'passkey' | Link | undefined {
  const usable = usableProviders(providers);
  if (hasPassword && !usable.some(({ required }) => required)) return 'password';
  if (hasPasskey) return 'passkey';
  return links.find((link) => usable.some((provider) => hasAccount(provider, link)));
}

/** Returns the providers through which users can log in: the required ones, or all if none is required. */
export function usableProviders<Provider extends Pick<LoginProvider, 'required' | 'disabled'>>(
  providers: readonly Provider[],
): readonly Provider[] {
  const enabledProviders = providers.filter(({ disabled }) => disabled !== true);
  const requiredProviders = enabledProviders.filter(({ required }) => required);
  return requiredProviders.length === 0 ? enabledProviders : requiredProviders;
}

/**
 * Reports whether the provider has the account. An account from another issuer does not count, unless the provider has
 * several tenants, because each tenant has its own issuer. An unknown issuer is assumed to match.
 */
function hasAccount({ providerId, issuer, tenants }: LoginProvider, link: LinkedAccount): boolean {
  return link.providerId === providerId && (link.issuer === null || tenants.length > 0 || link.issuer === issuer);
}
