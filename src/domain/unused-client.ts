import type { ClientId } from './values.ts';

/** What a client has that nobody owns, that has no secret, and that was never used. */
export function unusedClient(clientId: ClientId) {
  return {
    clientId,
    members: [],
    logo: null,
    secret: null,
    previousSecret: null,
    lastUse: { anySecret: null, previousSecret: null, keys: {} },
  };
}
