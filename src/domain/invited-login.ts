import type { ProviderSettings } from './provider-settings.ts';
import { isInDomains } from './upstream-identity.ts';

type Provider = Pick<ProviderSettings, 'required' | 'disabled' | 'linking' | 'domains'>;

/**
 * Returns how a user who is invited at the address will log in: with a password, or through a required provider that
 * links verified addresses, because the invitation verifies this one. Returns undefined if neither is possible: a
 * provider with explicit links, or with other domains, would not recognize the new account. An invitation can grant
 * roles, because only the owner of the invited address can log in.
 */
export function invitedLogin<P extends Provider>(email: string, providers: readonly P[]): 'password' | P | undefined {
  const requiredProviders = providers.filter((provider) => provider.required && provider.disabled !== true);
  if (requiredProviders.length === 0) return 'password';
  return requiredProviders.find(({ linking, domains }) => linking === 'verified-email' && isInDomains(email, domains));
}
