import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';
import { sessionStreamOf } from './sessions.ts';

/** The clients that depend on a session, according to the log. */
interface SessionClients {
  /** The clients that were authorized in the session with the `openid` scope. */
  readonly authorizedClients: Set<string>;
  /** The clients whose logout token has a recorded outcome. */
  readonly clientsWithOutcome: Set<string>;
}

export interface LogoutHistory {
  inStream(stream: StreamName): Readonly<SessionClients> | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createLogoutHistory(): LogoutHistory {
  const byStream = new Map<StreamName, SessionClients>();

  function findOrCreateClients(stream: StreamName): SessionClients {
    const clients = byStream.get(stream) ?? { authorizedClients: new Set(), clientsWithOutcome: new Set() };
    byStream.set(stream, clients);
    return clients;
  }

  return {
    inStream: (stream) => byStream.get(stream),
    apply({ event: { type, data }, record: { stream } }) {
      if (type === 'LogoutDelivered' || type === 'LogoutDeliveryFailed')
        findOrCreateClients(stream).clientsWithOutcome.add(data.clientId);
      if (type !== 'ConsentGiven' || !data.scope.includes('openid')) return;
      const sessionHash = data.login?.sessionHash ?? null;
      if (sessionHash !== null) findOrCreateClients(sessionStreamOf(sessionHash)).authorizedClients.add(data.clientId);
    },
  };
}
