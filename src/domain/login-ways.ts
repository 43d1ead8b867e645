import type { ProviderSettings } from './provider-settings.ts';

/** An account at a provider, as a way to log in. */
export interface LinkedWay {
  readonly providerId: string;
  /** The issuer of the account; null if unknown. A provider with a different issuer does not have the account. */
  readonly issuer: string | null;
}

/** Everything that a user could log in with, if this server accepts it. */
export interface LoginWays<Link extends LinkedWay = LinkedWay> {
  readonly hasPassword: boolean;
  /** Whether the user has a passkey that browsers accept for this server's host. A passkey needs no password. */
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
export function wayToLogIn<Link extends LinkedWay>(
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
 * Reports whether the account belongs to the provider. Accounts at a provider for several tenants have the issuers of
 * their tenants.
 */
function hasAccount({ providerId, issuer, tenants }: LoginProvider, link: LinkedWay): boolean {
  return link.providerId === providerId && (link.issuer === null || tenants.length > 0 || link.issuer === issuer);
}
