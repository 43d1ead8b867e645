import { invitationKeyId } from '../domain/invitation-keys.ts';
import type { ClientId, UserId } from '../domain/values.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';
import { clientIdOf } from '../projections/clients.ts';
import type { SealKeyWatch } from './vaults.ts';

/** Destroys the keys of erased accounts, removed clients and ended invitations, even if another node ended them. */
export interface FollowedErasures {
  /** Call it with every event of a shared log, after the projections have applied it. */
  follow(events: readonly RecordedEvent[]): void;
  /** Destroys the keys for all events so far, and from now on those for each event that follows. */
  start(keys: Erasers): void;
}

const DESTROYING: ReadonlySet<string> = new Set([
  'UserErased',
  'ClientRemoved',
  'InvitationWithdrawn',
  'InvitationAccepted',
]);

interface Erasers {
  readonly lostKeys: Pick<SealKeyWatch['lostKeys'], 'erase'>;
  readonly lostClientKeys: Pick<SealKeyWatch['lostClientKeys'], 'destroy'>;
}

/**
 * The node that erases an account destroys its key in the shared store. The other nodes must remove it from memory, and
 * one of them must destroy it if the first node ends too early.
 */
export function followErasures(): FollowedErasures {
  let erasers: Erasers | undefined;
  const waiting: RecordedEvent[] = [];

  function destroyKey(event: RecordedEvent): void {
    const { type, data } = event;
    if (type === 'UserErased') void erasers?.lostKeys.erase((data as { readonly userId: UserId }).userId);
    if (type.startsWith('Invitation')) void erasers?.lostKeys.erase(invitationKeyId(event.stream));
    if (type === 'ClientRemoved') void erasers?.lostClientKeys.destroy(clientIdOf(event) as ClientId);
  }

  return {
    follow(events) {
      for (const event of events) {
        if (!DESTROYING.has(event.type)) continue;
        if (erasers === undefined) waiting.push(event);
        else destroyKey(event);
      }
    },
    start(keys) {
      erasers = keys;
      for (const event of waiting.splice(0)) destroyKey(event);
    },
  };
}
