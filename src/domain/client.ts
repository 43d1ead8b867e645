import { accept, noChange, refuse, type Decider, type Decision } from '../event-store/decider.ts';
import type { EventOf, RecordableSecret, SealedSecretHash } from './events.ts';
import { unreachable, type EpochSeconds } from './values.ts';

/** The events of the stream client-<id>: one registered application (RFC 6749 §2). */
export type ClientEvent = EventOf<
  'ClientRegistered' | 'ClientUpdated' | 'ClientSecretRotated' | 'ClientSecretRehashed' | 'ClientRemoved'
>;
export type ClientSettings = EventOf<'ClientUpdated'>['data'];

/** Excludes the kinds of secret hash that only earlier releases recorded. */
export type ClientRegistration = Omit<EventOf<'ClientRegistered'>['data'], 'secret'> & {
  readonly secret: RecordableSecret | null;
};

export type ClientCommand =
  | { readonly type: 'RegisterClient'; readonly registration: ClientRegistration }
  | { readonly type: 'UpdateClient'; readonly settings: ClientSettings }
  /** Does nothing if the client already has this secret, because the request was sent twice. */
  | {
      readonly type: 'RotateClientSecret';
      readonly secret: Exclude<RecordableSecret, SealedSecretHash>;
      readonly now: EpochSeconds;
      readonly previousUntil: EpochSeconds | null;
    }
  /** Does nothing once the secret or its hash has changed since registration. */
  | { readonly type: 'RehashClientSecret'; readonly secret: SealedSecretHash }
  | { readonly type: 'RemoveClient' };

type StoredSecret = NonNullable<EventOf<'ClientRegistered'>['data']['secret']>;

export type ClientRefusal = 'client-id-taken' | 'client-unknown';

export interface ClientState {
  readonly status: 'absent' | 'registered' | 'removed';
  /** Whether the hash of the secret is still the one from registration. */
  readonly hasOriginalHash: boolean;
  /** Null for a public client and after removal. */
  readonly secret: StoredSecret | null;
}

export const client: Decider<ClientCommand, ClientState, ClientEvent, ClientRefusal> = {
  initial: { status: 'absent', hasOriginalHash: false, secret: null },
  decidedAt: (command) => (command.type === 'RotateClientSecret' ? command.now : undefined),

  decide(command, { status, hasOriginalHash, secret }): Decision<ClientEvent, ClientRefusal> {
    if (command.type === 'RegisterClient') {
      // A removed client's id stays taken, so that its grants never pass to another client.
      if (status !== 'absent') return refuse('client-id-taken');
      return accept<ClientEvent>({ type: 'ClientRegistered', data: command.registration });
    }
    if (command.type === 'RemoveClient' && status === 'removed') return noChange;
    if (status !== 'registered') return refuse('client-unknown');
    switch (command.type) {
      case 'UpdateClient':
        return accept<ClientEvent>({ type: 'ClientUpdated', data: command.settings });
      case 'RotateClientSecret':
        if (isSameSecret(secret, command.secret)) return noChange;
        return accept<ClientEvent>({
          type: 'ClientSecretRotated',
          data: { secret: command.secret, previousUntil: command.previousUntil },
        });
      case 'RehashClientSecret':
        return hasOriginalHash
          ? accept<ClientEvent>({ type: 'ClientSecretRehashed', data: { secret: command.secret } })
          : noChange;
      case 'RemoveClient':
        return accept<ClientEvent>({ type: 'ClientRemoved', data: {} });
      default:
        return unreachable(command);
    }
  },

  evolve(state, { type, data }) {
    switch (type) {
      case 'ClientRegistered':
        return { status: 'registered', hasOriginalHash: true, secret: data.secret };
      case 'ClientUpdated':
        return state;
      case 'ClientSecretRotated':
      case 'ClientSecretRehashed':
        return { ...state, hasOriginalHash: false, secret: data.secret };
      case 'ClientRemoved':
        return { status: 'removed', hasOriginalHash: false, secret: null };
      default:
        return unreachable(type);
    }
  },
};

/** Works for generated secrets only: two salted hashes of one secret differ. */
export function isSameSecret(one: StoredSecret | null, other: StoredSecret | null): boolean {
  return one?.algorithm === 'sha256' && other?.algorithm === 'sha256' && one.hash === other.hash;
}
