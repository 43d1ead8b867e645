import { accept, nothing, refuse, type Decider, type Decision } from '../eventsourcing/decider.ts';
import type { EventOf, SecretHash } from './events.ts';
import { unreachable, type EpochSeconds } from './values.ts';

/** The stream client-<id>: one registered application (RFC 6749 §2). */
export type ClientEvent = EventOf<'ClientRegistered' | 'ClientUpdated' | 'ClientSecretRotated' | 'ClientRemoved'>;
export type ClientSettings = EventOf<'ClientUpdated'>['data'];

export type ClientCommand =
  | { readonly type: 'RegisterClient'; readonly registration: EventOf<'ClientRegistered'>['data'] }
  | { readonly type: 'UpdateClient'; readonly settings: ClientSettings }
  | { readonly type: 'RotateClientSecret'; readonly secret: SecretHash; readonly previousUntil: EpochSeconds | null }
  | { readonly type: 'RemoveClient' };

export type ClientRefusal = 'client-id-taken' | 'client-unknown';

export interface ClientState {
  readonly status: 'absent' | 'registered' | 'removed';
}

export const client: Decider<ClientCommand, ClientState, ClientEvent, ClientRefusal> = {
  initial: { status: 'absent' },

  decide(command, { status }): Decision<ClientEvent, ClientRefusal> {
    if (command.type === 'RegisterClient') {
      // A removed client's id stays taken: what was granted to the one must never pass to another.
      if (status !== 'absent') return refuse('client-id-taken');
      return accept<ClientEvent>({ type: 'ClientRegistered', data: command.registration });
    }
    if (command.type === 'RemoveClient' && status === 'removed') return nothing;
    if (status !== 'registered') return refuse('client-unknown');
    switch (command.type) {
      case 'UpdateClient': return accept<ClientEvent>({ type: 'ClientUpdated', data: command.settings });
      case 'RotateClientSecret': return accept<ClientEvent>({ type: 'ClientSecretRotated', data: { secret: command.secret, previousUntil: command.previousUntil } });
      case 'RemoveClient': return accept<ClientEvent>({ type: 'ClientRemoved', data: {} });
      default: return unreachable(command);
    }
  },

  evolve(state, { type }) {
    switch (type) {
      case 'ClientRegistered': return { status: 'registered' };
      case 'ClientUpdated': case 'ClientSecretRotated': return state;
      case 'ClientRemoved': return { status: 'removed' };
      default: return unreachable(type);
    }
  },
};
