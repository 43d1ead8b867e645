import type { ProviderAuthentication, ProviderPreset } from '../domain/provider-settings.ts';
import { PRESETS } from '../oauth/upstream/presets.ts';
import type { CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';

/** The options that only a new provider needs, unless its preset has a value. */
interface NewProviderOptions {
  readonly preset?: ProviderPreset;
  readonly name?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly authentication?: ProviderAuthentication;
  readonly clientSecretStdin?: true;
}

/**
 * Checks that the options for a new provider are complete.
 * @throws CannotRunError if a new provider lacks options that it needs
 */
export async function requireNewProviderOptions(
  providerId: string,
  options: NewProviderOptions,
  context: CliContext,
): Promise<void> {
  const missing = missingOptions(options);
  if (missing.length === 0 || (await providerExists(providerId, context))) return;
  throw new CannotRunError(
    `there is no provider ${JSON.stringify(providerId)} yet, and a new one also needs ${missing.join(', ')}; ` +
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
