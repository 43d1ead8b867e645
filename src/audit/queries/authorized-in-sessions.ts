import type { ClientId, GrantId } from '../../domain/values.ts';
import type { LiveGrant } from '../../projections/live-grant.ts';

/** The applications that a user authorized in a session. */
export interface AuthorizedInSession {
  readonly clients: readonly ClientId[];
  /** The applications whose access ends with the session. */
  readonly endingClients: readonly ClientId[];
  readonly grantIds: readonly GrantId[];
}

/**
 * Groups the grants of a user by session, and returns a function that looks up a session. A grant that ends with a
 * session is listed under that session, which may be a continuation of the session in which the user consented.
 */
export function indexGrantsBySession(grants: Iterable<LiveGrant>): (sessionHash: string) => AuthorizedInSession {
  const sessions = new Map<string, { clients: Set<ClientId>; endingClients: Set<ClientId>; grantIds: GrantId[] }>();
  for (const { grantId, clientId, login, endsWith } of grants) {
    const sessionHash = (endsWith ?? login)?.sessionHash ?? null;
    if (sessionHash === null) continue;
    const session = sessions.get(sessionHash) ?? { clients: new Set(), endingClients: new Set(), grantIds: [] };
    sessions.set(sessionHash, session);
    session.clients.add(clientId);
    session.grantIds.push(grantId);
    if (endsWith !== undefined) session.endingClients.add(clientId);
  }
  return (sessionHash) => {
    const { clients = [], endingClients = [], grantIds = [] } = sessions.get(sessionHash) ?? {};
    return { clients: [...clients], endingClients: [...endingClients], grantIds };
  };
}
