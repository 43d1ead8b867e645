import type { ClientId } from '../../domain/values.ts';
import type { EndingSession, LiveGrant } from '../../projections/live-grant.ts';

/** The effect of ending sessions on applications. An application with several grants may be in both lists. */
export interface AccessAfterSessions {
  /** The clients with a grant that ends with the sessions. */
  readonly endingClients: readonly ClientId[];
  /** The clients with a grant that remains. */
  readonly remainingClients: readonly ClientId[];
}

/**
 * Returns the applications whose access ends with sessions, and those that keep access.
 * @param isEnding selects the sessions; by default, all sessions of the user
 */
export function accessAfterSessions(
  grants: Iterable<LiveGrant>,
  isEnding: (session: EndingSession) => boolean = () => true,
): AccessAfterSessions {
  const [endingClients, remainingClients] = [new Set<ClientId>(), new Set<ClientId>()];
  for (const { clientId, endsWith } of grants)
    (endsWith !== undefined && isEnding(endsWith) ? endingClients : remainingClients).add(clientId);
  return { endingClients: [...endingClients], remainingClients: [...remainingClients] };
}
