import type { ClientId, UserId } from '../domain/values.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';
import { clientIdOf } from '../projections/clients.ts';
import type { SealKeyWatch } from './vaults.ts';

/** Destroys the keys of accounts that other nodes erase and of clients that they remove. */
export interface FollowedErasures {
  /** Takes every event of a shared log, after the projections. */
  follow(events: readonly RecordedEvent[]): void;
  /** Begins with the events that were followed so far. */
  start(keys: Erasers): void;
}

interface Erasers {
  readonly lostKeys: Pick<SealKeyWatch['lostKeys'], 'erase'>;
  readonly lostClientKeys: Pick<SealKeyWatch['lostClientKeys'], 'destroy'>;
}

/**
 * The node that erases an account destroys its key in the place of the keys. The others must forget it, and one of them
 * has to destroy it if the first node ends before it can.
 */
export function followErasures(): FollowedErasures {
  let erasers: Erasers | undefined;
  const waiting: RecordedEvent[] = [];

  function take(event: RecordedEvent): void {
    const { type, data } = event;
    if (type === 'UserErased') void erasers?.lostKeys.erase((data as { readonly userId: UserId }).userId);
    if (type === 'ClientRemoved') void erasers?.lostClientKeys.destroy(clientIdOf(event) as ClientId);
  }

  return {
    follow(events) {
      for (const event of events) {
        if (event.type !== 'UserErased' && event.type !== 'ClientRemoved') continue;
        if (erasers === undefined) waiting.push(event);
        else take(event);
      }
    },
    start(keys) {
      erasers = keys;
      for (const event of waiting.splice(0)) take(event);
    },
  };
}
