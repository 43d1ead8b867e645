import type { Position, Revision } from '../event-store/event-log.ts';
import type { ClientId } from './values.ts';

/** What a client has that nobody owns, that has no secret, that was never used, and that is not in the log. */
export function unusedClient(clientId: ClientId) {
  return {
    clientId,
    revision: 0 as Revision,
    registeredAt: 0,
    registeredPosition: 0 as Position,
    members: [],
    logo: null,
    secret: null,
    previousSecret: null,
    lastUse: { anySecret: null, previousSecret: null, keys: {} },
  };
}
