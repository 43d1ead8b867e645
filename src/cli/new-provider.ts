import type { ProviderAuthentication, ProviderPreset } from '../domain/provider-settings.ts';
import { PRESETS } from '../oauth/upstream/presets.ts';
import type { CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';

/** The options that only a new provider requires, unless its preset has a default. */
interface NewProviderOptions {
  readonly preset?: ProviderPreset;
  readonly name?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly authentication?: ProviderAuthentication;
  readonly clientSecretStdin?: true;
}

/**
 * Checks that the options are complete if the provider does not exist yet.
 * @throws CannotRunError if the provider is new and an option that it requires is missing
 */
export async function requireNewProviderOptions(
  providerId: string,
  options: NewProviderOptions,
  context: CliContext,
): Promise<void> {
  const missing = missingOptions(options);
  if (missing.length === 0 || (await providerExists(providerId, context))) return;
  throw new CannotRunError(
    `provider ${JSON.stringify(providerId)} does not exist yet, and a new provider also needs ${missing.join(', ')}; ` +
      'see grantlog provider set --help',
  );
}

/** Reports whether a provider with this id exists. */
export async function providerExists(providerId: string, { call }: CliContext): Promise<boolean> {
  for await (const item of call('provider list', {}, { create: true }))
    if ((item as { readonly provider_id: string }).provider_id === providerId) return true;
  return false;
}

function missingOptions(options: NewProviderOptions): readonly string[] {
  const defaults = PRESETS[options.preset ?? 'custom'];
  const {
    name = defaults.title,
    issuer = defaults.issuer,
    clientId,
    authentication = defaults.authentication,
  } = options;
  const needsSecret = authentication.startsWith('client_secret');
  return [
    ...(name === null ? ['--name'] : []),
    ...(issuer === null ? ['--issuer'] : []),
    ...(clientId === undefined ? ['--client-id'] : []),
    ...(needsSecret && options.clientSecretStdin === undefined ? ['--client-secret-stdin'] : []),
  ];
}
