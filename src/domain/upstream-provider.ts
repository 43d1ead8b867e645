import { accept, noChange, refuse, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { isSameValue } from './same-value.ts';
import { unreachable, type ProviderId } from './values.ts';

/** The events of the stream provider-<id>. A removed provider can be added again. */
export type UpstreamProviderEvent = EventOf<'UpstreamProviderSet' | 'UpstreamProviderRemoved'>;

export type UpstreamProviderCommand =
  /** Replaces all settings. Does nothing if no setting changes. */
  | {
      readonly type: 'SetUpstreamProvider';
      readonly providerId: ProviderId;
      readonly settings: ProviderSettings;
      /**
       * Whether to refuse the command if the provider exists with different settings, because another administrator may
       * have added it.
       */
      readonly isNew: boolean;
    }
  /** Does nothing if there is no such provider. */
  | { readonly type: 'RemoveUpstreamProvider'; readonly providerId: ProviderId };

export type UpstreamProviderRefusal = 'provider-exists';

/** Null until the provider is set, and after its removal. */
export type UpstreamProviderState = ProviderSettings | null;

export const upstreamProvider: Decider<
  UpstreamProviderCommand,
  UpstreamProviderState,
  UpstreamProviderEvent,
  UpstreamProviderRefusal
> = {
  initial: null,

  decide(command, state) {
    const { type, providerId } = command;
    switch (type) {
      case 'SetUpstreamProvider': {
        const { settings, isNew } = command;
        if (isSameValue(state, settings)) return noChange;
        if (isNew && state !== null) return refuse('provider-exists');
        return accept<UpstreamProviderEvent>({ type: 'UpstreamProviderSet', data: { providerId, settings } });
      }
      case 'RemoveUpstreamProvider':
        return state === null
          ? noChange
          : accept<UpstreamProviderEvent>({ type: 'UpstreamProviderRemoved', data: { providerId } });
      default:
        return unreachable(type);
    }
  },

  evolve(_state, { type, data }) {
    return type === 'UpstreamProviderSet' ? data.settings : null;
  },
};
