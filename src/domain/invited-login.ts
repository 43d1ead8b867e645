import type { ProviderSettings } from './provider-settings.ts';
import { isInDomains } from './upstream-identity.ts';

type Provider = Pick<ProviderSettings, 'required' | 'disabled' | 'linking' | 'domains'>;

/**
 * Returns how a user who is invited at the address will log in: with a password, or through the returned provider, if a
 * provider is required. That provider must link verified addresses in the address's domain; it can then link the new
 * account, because the invitation verifies the address. Returns undefined if no required provider can. The invitation
 * may grant roles, because only the holder of the address can log in.
 */
export function invitedLogin<P extends Provider>(email: string, providers: readonly P[]): 'password' | P | undefined {
  const requiredProviders = providers.filter((provider) => provider.required && provider.disabled !== true);
  if (requiredProviders.length === 0) return 'password';
  return requiredProviders.find(({ linking, domains }) => linking === 'verified-email' && isInDomains(email, domains));
}
