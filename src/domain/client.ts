import { accept, nothing, refuse, type Decider, type Decision } from '../eventsourcing/decider.ts';
import type { EventOf, RecordableSecret, SealedSecretHash } from './events.ts';
import { unreachable, type EpochSeconds } from './values.ts';

/** The stream client-<id>: one registered application (RFC 6749 §2). */
export type ClientEvent = EventOf<'ClientRegistered' | 'ClientUpdated' | 'ClientSecretRotated' | 'ClientSecretRehashed' | 'ClientRemoved'>;
export type ClientSettings = EventOf<'ClientUpdated'>['data'];

/** Without the kinds of secret that only earlier releases recorded. */
export type ClientRegistration = Omit<EventOf<'ClientRegistered'>['data'], 'secret'> & {
  readonly secret: RecordableSecret | null;
};

export type ClientCommand =
  | { readonly type: 'RegisterClient'; readonly registration: ClientRegistration }
  | { readonly type: 'UpdateClient'; readonly settings: ClientSettings }
  | {
      readonly type: 'RotateClientSecret';
      readonly secret: Exclude<RecordableSecret, SealedSecretHash>;
      readonly previousUntil: EpochSeconds | null;
    }
  /** To nothing, once it has another secret or another hash than it was registered with. */
  | { readonly type: 'RehashClientSecret'; readonly secret: SealedSecretHash }
  | { readonly type: 'RemoveClient' };

export type ClientRefusal = 'client-id-taken' | 'client-unknown';

export interface ClientState {
  readonly status: 'absent' | 'registered' | 'removed';
  /** Whether its secret is kept as it was when it was registered. */
  readonly hasFirstHash: boolean;
}

export const client: Decider<ClientCommand, ClientState, ClientEvent, ClientRefusal> = {
  initial: { status: 'absent', hasFirstHash: false },

  decide(command, { status, hasFirstHash }): Decision<ClientEvent, ClientRefusal> {
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
      case 'RehashClientSecret': return hasFirstHash ? accept<ClientEvent>({ type: 'ClientSecretRehashed', data: { secret: command.secret } }) : nothing;
      case 'RemoveClient': return accept<ClientEvent>({ type: 'ClientRemoved', data: {} });
      default: return unreachable(command);
    }
  },

  evolve(state, { type }) {
    switch (type) {
      case 'ClientRegistered': return { status: 'registered', hasFirstHash: true };
      case 'ClientUpdated': return state;
      case 'ClientSecretRotated': case 'ClientSecretRehashed': return { ...state, hasFirstHash: false };
      case 'ClientRemoved': return { status: 'removed', hasFirstHash: false };
      default: return unreachable(type);
    }
  },
};
