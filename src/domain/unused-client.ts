import type { Position, Revision } from '../event-store/event-log.ts';
import type { ClientId } from './values.ts';

/** The revision of a client that is not in the log and so has no stream. */
export const NOT_IN_LOG = 0 as Revision;

/** Returns the state of an unused client that is not in the log: it has no members, no secret and no recorded use. */
export function unusedClient(clientId: ClientId) {
  return {
    clientId,
    members: [],
    logo: null,
    secret: null,
    previousSecret: null,
    lastUse: { anySecret: null, previousSecret: null, keys: {} },
    registeredAt: 0,
    registeredPosition: 0 as Position,
  };
}
