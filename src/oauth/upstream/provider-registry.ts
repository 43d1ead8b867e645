import { observedProvider, providerStream } from '../../domain/streams.ts';
import type { ProviderSettings } from '../../domain/provider-settings.ts';
import type {
  UpstreamProviderCommand,
  UpstreamProviderEvent,
  UpstreamProviderRefusal,
  UpstreamProviderState,
} from '../../domain/upstream-provider.ts';
import type { ProviderId } from '../../domain/values.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import { DecisionOutdated } from '../../event-store/event-log.ts';
import type { OutgoingUrlSettings } from '../../platform/egress/outgoing-url.ts';
import type { UpstreamProvider, UpstreamProviders } from '../../projections/upstream-providers.ts';
import { checkProvider, providerIdProblem, type ProviderErrors, type ProviderFields } from './provider-rules.ts';
import type { ProviderSecrets } from './provider-secrets.ts';
import { message } from '../../language/message.ts';

/** Sets and removes the providers that users log in through. Changes take effect immediately. */
export interface ProviderRegistry {
  /**
   * Adds the provider, or replaces all its settings. Logins in progress then fail.
   * @param existingProvider the provider before the change, as last read; undefined for a new provider
   * @throws DecisionOutdated if the provider has changed since it was read, or if a new provider's id is already in use
   * @throws NoAdministratorLeft if no administrator would be able to log in afterwards, unless the operator makes the
   * change
   */
  set(
    providerId: string,
    fields: ProviderFields,
    existingProvider: UpstreamProvider | undefined,
    context: CommandContext,
  ): Promise<{ readonly provider: UpstreamProvider } | { readonly errors: ProviderErrors }>;
  /**
   * Removes the provider, if it still exists. Sessions continue, and links remain in case the provider is added again.
   * @throws NoAdministratorLeft if no administrator would be able to log in afterwards, unless the operator makes the
   * change
   */
  remove(provider: UpstreamProvider, context: CommandContext): Promise<void>;
}

interface ProviderChange {
  readonly affects: 'provider';
  readonly providerId: ProviderId;
  /** Null if the provider is removed. */
  readonly settings: ProviderSettings | null;
}

export function createProviderRegistry(deps: {
  readonly commands: Pick<
    CommandHandler<UpstreamProviderCommand, UpstreamProviderState, UpstreamProviderEvent, UpstreamProviderRefusal>,
    'execute'
  >;
  readonly providers: Pick<UpstreamProviders, 'find'>;
  readonly secrets: ProviderSecrets;
  /** @throws NoAdministratorLeft if no administrator would be able to log in after the change */
  readonly keepAnAdministrator: (change: ProviderChange, context: CommandContext) => CommandContext;
  readonly settings: OutgoingUrlSettings;
}): ProviderRegistry {
  const { commands, providers, secrets, settings: outgoingSettings } = deps;

  function sealedSecretFor(
    providerId: ProviderId,
    { secret }: ProviderFields,
    authentication: UpstreamProvider['authentication'],
    existingProvider: UpstreamProvider | undefined,
  ): string | null {
    if (authentication === 'none' || authentication === 'private_key_jwt') return null;
    const currentSecret = existingProvider?.sealedSecret ?? null;
    const isUnchanged = secret === '' || (currentSecret !== null && secrets.open(providerId, currentSecret) === secret);
    return isUnchanged ? currentSecret : secrets.seal(providerId, secret);
  }

  /**
   * Returns the context in which to record the change. The check does not apply to the operator, who can undo the
   * change without logging in: the commands ask for confirmation or print a warning instead.
   */
  function keepAnAdministrator(change: ProviderChange, context: CommandContext): CommandContext {
    return context.actor.kind === 'operator' ? context : deps.keepAnAdministrator(change, context);
  }

  return {
    async set(id, fields, existingProvider, context) {
      const idProblem = providerIdProblem(id);
      const result = checkProvider(fields, existingProvider ?? null, outgoingSettings);
      if (idProblem !== undefined || 'errors' in result)
        return {
          errors: {
            ...(idProblem !== undefined && { providerId: idProblem }),
            ...('errors' in result ? result.errors : {}),
          },
        };
      const providerId = id as ProviderId;
      const sealedSecret = sealedSecretFor(providerId, fields, result.settings.authentication, existingProvider);
      const settings = { ...result.settings, sealedSecret };
      const command = {
        type: 'SetUpstreamProvider',
        providerId,
        settings,
        isNew: existingProvider === undefined,
      } as const;
      const guardedContext = keepAnAdministrator({ affects: 'provider', providerId, settings }, context);
      const basedOn = [
        ...(guardedContext.basedOn ?? []),
        ...(existingProvider === undefined ? [] : [observedProvider(existingProvider)]),
      ];
      const { refusal } = await commands.execute(providerStream(providerId), command, { ...guardedContext, basedOn });
      if (refusal !== undefined) throw new DecisionOutdated(null);
      const provider = providers.find(providerId);
      return provider === undefined ? { errors: { providerId: message('provider-problem.removed') } } : { provider };
    },

    async remove(provider, context) {
      const { providerId } = provider;
      const guardedContext = keepAnAdministrator({ affects: 'provider', providerId, settings: null }, context);
      const basedOn = [...(guardedContext.basedOn ?? []), observedProvider(provider)];
      const command = { type: 'RemoveUpstreamProvider', providerId } as const;
      await commands.execute(providerStream(providerId), command, { ...guardedContext, basedOn });
    },
  };
}
