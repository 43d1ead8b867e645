import type { EventType } from '../domain/events.ts';
import { invitationKeyId } from '../domain/invitation-keys.ts';
import type { ClientId, UserId } from '../domain/values.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';
import { clientIdOf } from '../projections/clients.ts';
import type { SealKeyWatch } from './vaults.ts';

/**
 * Destroys the keys of erased accounts, removed clients, and withdrawn or accepted invitations, no matter which node
 * recorded the event.
 */
export interface FollowedErasures {
  /** Call this with every event of a shared log, after the projections have applied it. */
  follow(events: readonly RecordedEvent[]): void;
  /** Destroys the keys for the events received so far, and from then on for each new event as it arrives. */
  start(keyErasers: Erasers): void;
}

interface Erasers {
  readonly lostKeys: Pick<SealKeyWatch['lostKeys'], 'erase'>;
  readonly lostClientKeys: Pick<SealKeyWatch['lostClientKeys'], 'destroy'>;
}

type DestroyKey = (event: RecordedEvent, erasers: Erasers) => Promise<boolean>;

const destroyInvitationKey: DestroyKey = ({ stream }, { lostKeys }) => lostKeys.erase(invitationKeyId(stream));

/** The functions that destroy keys, by event type. */
const KEY_DESTROYERS: ReadonlyMap<string, DestroyKey> = new Map<EventType, DestroyKey>([
  ['UserErased', ({ data }, { lostKeys }) => lostKeys.erase((data as { readonly userId: UserId }).userId)],
  ['ClientRemoved', (event, { lostClientKeys }) => lostClientKeys.destroy(clientIdOf(event) as ClientId)],
  ['InvitationWithdrawn', destroyInvitationKey],
  ['InvitationAccepted', destroyInvitationKey],
]);

/**
 * Creates a follower for a shared log. The node that records an erasure also destroys the key in the shared store. The
 * other nodes must remove the key from their memory, and must destroy the stored key if the first node stops too early.
 */
export function followErasures(): FollowedErasures {
  let erasers: Erasers | undefined;
  const pendingEvents: RecordedEvent[] = [];

  return {
    follow(events) {
      for (const event of events) {
        const destroyKey = KEY_DESTROYERS.get(event.type);
        if (destroyKey === undefined) continue;
        if (erasers === undefined) pendingEvents.push(event);
        else void destroyKey(event, erasers);
      }
    },
    start(keyErasers) {
      erasers = keyErasers;
      for (const event of pendingEvents.splice(0)) void KEY_DESTROYERS.get(event.type)?.(event, keyErasers);
    },
  };
}
