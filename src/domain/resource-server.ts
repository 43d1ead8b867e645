import { accept, noChange, refuse, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import { isSameValue } from './same-value.ts';
import type { ResourceServerSettings } from './resource-settings.ts';
import { unreachable } from './values.ts';

/** The events of the stream `resource-<hash of the URI>`. A removed resource server can be registered again. */
export type ResourceEvent = EventOf<'ResourceRegistered' | 'ResourceUpdated' | 'ResourceRemoved'>;

export type ResourceCommand =
  | { readonly type: 'RegisterResource'; readonly uri: string; readonly settings: ResourceServerSettings }
  /** Does nothing if no setting changes. */
  | { readonly type: 'UpdateResource'; readonly settings: ResourceServerSettings }
  | { readonly type: 'RemoveResource' };

export type ResourceRefusal = 'resource-exists' | 'resource-unknown';

/** Null before the registration and after the removal. */
export type ResourceState = { readonly uri: string; readonly settings: ResourceServerSettings } | null;

/**
 * Decides on the registration of one resource server. Registering the same settings again does nothing, because the
 * form may have been submitted twice.
 */
export const resourceServer: Decider<ResourceCommand, ResourceState, ResourceEvent, ResourceRefusal> = {
  initial: null,

  decide(command, state) {
    if (command.type === 'RegisterResource') {
      const { uri, settings } = command;
      if (state === null) return accept<ResourceEvent>({ type: 'ResourceRegistered', data: { uri, settings } });
      return isSameValue(state.settings, settings) ? noChange : refuse('resource-exists');
    }
    if (state === null) return command.type === 'RemoveResource' ? noChange : refuse('resource-unknown');
    const { uri } = state;
    if (command.type === 'RemoveResource') return accept<ResourceEvent>({ type: 'ResourceRemoved', data: { uri } });
    if (isSameValue(state.settings, command.settings)) return noChange;
    return accept<ResourceEvent>({ type: 'ResourceUpdated', data: { uri, settings: command.settings } });
  },

  evolve(_state, { type, data }) {
    switch (type) {
      case 'ResourceRegistered':
      case 'ResourceUpdated':
        return { uri: data.uri, settings: data.settings };
      case 'ResourceRemoved':
        return null;
      default:
        return unreachable(type);
    }
  },
};
