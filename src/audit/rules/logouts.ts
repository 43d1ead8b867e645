import type { EventOf } from '../../domain/events.ts';
import type { Position, RecordedEvent } from '../../event-store/event-log.ts';
import type { History } from './history.ts';
import { finding, type EventRule, type Violation } from './rule.ts';

const BEFORE_ALL_EVENTS = 0 as Position;

type DeliveryData = EventOf<'LogoutDelivered'>['data'];

function checkDelivery(
  { clientId, userId }: DeliveryData,
  { stream }: RecordedEvent,
  { sessions, logouts }: Pick<History, 'sessions' | 'logouts'>,
): Violation | undefined {
  const session = sessions.inStream(stream);
  if (session === undefined) return finding('the session never started');
  if (session.userId !== userId) return finding(`the session belongs to user ${session.userId}, not to user ${userId}`);
  const clients = logouts.inStream(stream);
  if (clients?.authorizedClients.has(clientId) !== true)
    return finding(`client ${clientId} was not authorized for OpenID Connect in the session`);
  if (clients.clientsWithOutcome.has(clientId))
    return finding(`the outcome for client ${clientId} was already recorded`);
  return sessions.endFor(session, BEFORE_ALL_EVENTS) === null
    ? finding('the session, or the one that continues it, has not ended')
    : undefined;
}

export const logoutRules: readonly EventRule[] = [
  {
    name: 'logout-tokens-follow-logouts',
    description:
      'The outcome of a logout token is recorded at most once for each client, after the end of the session, and ' +
      'only if the client was authorized for OpenID Connect in that session.',
    check({ event: { type, data }, record }, history) {
      return type === 'LogoutDelivered' || type === 'LogoutDeliveryFailed'
        ? checkDelivery(data, record, history)
        : undefined;
    },
  },
];
