import { decodeEvent, type EventType } from '../../domain/events.ts';
import { clientStream } from '../../domain/streams.ts';
import type { ClientId, UserId } from '../../domain/values.ts';
import type { EventLog, RecordedEvent } from '../../event-store/event-log.ts';
import { isClientStream, isGrantStream, createPartiesLookup, wasOwner, type FindParties } from './parties.ts';

/** Selects events. An undefined member matches everything. Times are milliseconds since the epoch. */
export interface EventCriteria {
  /** Any of these types. */
  readonly types?: readonly EventType[] | undefined;
  readonly userId?: UserId | undefined;
  readonly clientId?: ClientId | undefined;
  /** Recorded at this time or later. */
  readonly since?: number | undefined;
  /** Recorded before this time, so that consecutive ranges do not overlap. */
  readonly until?: number | undefined;
}

type Batches = AsyncIterable<readonly RecordedEvent[]>;
export type EventPredicate = (event: RecordedEvent) => boolean | Promise<boolean>;

/** Selects the matching events in the whole log, which is read from its start. */
export type EventFilter = (batches: Batches, signal: AbortSignal) => AsyncGenerator<RecordedEvent, void, void>;

/**
 * Creates a filter for the whole log, read from its start. Each call to the filter remembers the data of earlier events
 * that later ones do not repeat.
 */
export function createEventFilter(criteria: EventCriteria, log: Pick<EventLog, 'readStream'>): EventFilter {
  const { userId, clientId } = criteria;
  return async function* (batches, signal) {
    // `matchesUser` remembers the user's streams, so it must see every event and runs before the other criteria.
    const matchesUser = userId === undefined ? () => true : concernsUser(userId);
    const matchesClient: EventPredicate =
      clientId === undefined ? () => true : concernsClient(clientId, createPartiesLookup(log));
    for await (const events of batches) {
      for (const event of events) {
        if (signal.aborted) return;
        if (!matchesUser(event) || !matchesEnvelope(event, criteria)) continue;
        const clientMatches = matchesClient(event);
        if (typeof clientMatches === 'boolean' ? clientMatches : await clientMatches) yield event;
      }
      if (signal.aborted) return;
    }
  };
}

/** Creates a predicate for single events anywhere in the log. It looks up data that an event does not contain. */
export function createEventPredicate(criteria: EventCriteria, partiesOf: FindParties): EventPredicate {
  const { userId, clientId } = criteria;
  const matchesUser: EventPredicate = userId === undefined ? () => true : concernsUserByLookup(userId, partiesOf);
  const matchesClient: EventPredicate = clientId === undefined ? () => true : concernsClient(clientId, partiesOf);
  return (event) => {
    if (!matchesEnvelope(event, criteria)) return false;
    const userMatches = matchesUser(event);
    if (typeof userMatches === 'boolean') return userMatches && matchesClient(event);
    return userMatches.then((matches) => matches && matchesClient(event));
  };
}

function matchesEnvelope(
  { recordedAt, type }: RecordedEvent,
  { types, since = 0, until = Infinity }: EventCriteria,
): boolean {
  return recordedAt >= since && recordedAt < until && types?.some((candidate) => candidate === type) !== false;
}

/**
 * Returns a predicate for the events with the user's id, the events caused by the user, all events of the user's
 * grants, and the events of the user's applications while the user owned them. Compares ids, because the name may have
 * belonged to a different account before.
 */
function concernsUser(userId: UserId): (event: RecordedEvent) => boolean {
  /** The user's streams, whose later events do not repeat the user's id. A user has few. */
  const streams = new Set<string>();
  return (event) => {
    const { subject, ownerId } = userIds(event);
    if (ownerId === userId || (subject === userId && (isGrantStream(event.stream) || addsOwner(event))))
      streams.add(event.stream);
    if (subject === userId && event.type === 'ClientMemberRemoved') streams.delete(event.stream);
    return subject === userId || isCausedBy(event, 'user', userId) || streams.has(event.stream);
  };
}

function concernsUserByLookup(userId: UserId, partiesOf: FindParties): EventPredicate {
  return (event) => {
    const { subject, ownerId } = userIds(event);
    if (subject === userId || ownerId === userId || isCausedBy(event, 'user', userId)) return true;
    if (isClientStream(event.stream)) return ownerMatches(partiesOf, event, userId);
    const hasUserId = subject !== undefined || ownerId !== undefined;
    return !hasUserId && isGrantStream(event.stream) && partyMatches(partiesOf, event, 'userId', userId);
  };
}

function addsOwner(event: RecordedEvent): boolean {
  const { type, data } = decodeEvent(event);
  return type === 'ClientMemberAdded' && data.role === 'owner';
}

function ownerMatches(partiesOf: FindParties, event: RecordedEvent, userId: UserId): boolean | Promise<boolean> {
  const parties = partiesOf(event.stream);
  return parties instanceof Promise
    ? parties.then((resolvedParties) => wasOwner(resolvedParties, userId, event))
    : wasOwner(parties, userId, event);
}

/** Returns a predicate for the events with the client's id, in its stream, caused by it, or of one of its grants. */
function concernsClient(clientId: ClientId, partiesOf: FindParties): EventPredicate {
  return (event) => {
    const { type, data } = decodeEvent(event);
    const { clientId: eventClientId, subjectClientId } = data as {
      readonly clientId?: unknown;
      readonly subjectClientId?: unknown;
    };
    if (type === 'TrustedIssuerSet') return data.settings.clients.some((client) => client.clientId === clientId);
    if (isCausedBy(event, 'client', clientId)) return true;
    if (eventClientId !== undefined) return eventClientId === clientId || subjectClientId === clientId;
    if (event.stream === clientStream(clientId)) return true;
    // Only revocations by other parties remain, one per grant. A client may have too many grants to remember.
    return isGrantStream(event.stream) && partyMatches(partiesOf, event, 'clientId', clientId);
  };
}

function partyMatches(
  partiesOf: FindParties,
  { stream }: RecordedEvent,
  party: 'userId' | 'clientId',
  id: string,
): boolean | Promise<boolean> {
  const parties = partiesOf(stream);
  return parties instanceof Promise
    ? parties.then((resolvedParties) => resolvedParties[party] === id)
    : parties[party] === id;
}

function userIds(event: RecordedEvent): { readonly subject: unknown; readonly ownerId: unknown } {
  const { userId: subject, ownerId } = decodeEvent(event).data as {
    readonly userId?: unknown;
    readonly ownerId?: unknown;
  };
  return { subject, ownerId };
}

function isCausedBy({ actor }: RecordedEvent, kind: 'user' | 'client', id: string): boolean {
  return actor.kind === kind && actor.id === id;
}
