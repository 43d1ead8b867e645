import { decodeEvent, type EventType } from '../../domain/events.ts';
import { clientStream } from '../../domain/streams.ts';
import type { ClientId, UserId } from '../../domain/values.ts';
import type { EventLog, RecordedEvent } from '../../event-store/event-log.ts';
import { isClientStream, isGrantStream, createPartiesLookup, type FindParties } from './parties.ts';

/** What events are narrowed to; what is not given leaves nothing out. Times are milliseconds since the epoch. */
export interface EventCriteria {
  /** Any of these. */
  readonly types?: readonly EventType[] | undefined;
  readonly userId?: UserId | undefined;
  readonly clientId?: ClientId | undefined;
  /** Recorded then or later. */
  readonly since?: number | undefined;
  /** Recorded before then, so that one question goes on where the one before ended. */
  readonly until?: number | undefined;
}

type Batches = AsyncIterable<readonly RecordedEvent[]>;
export type EventPredicate = (event: RecordedEvent) => boolean | Promise<boolean>;

/** Leaves out of the whole log, read from its start, what was not asked for. */
export type EventFilter = (batches: Batches, signal: AbortSignal) => AsyncGenerator<RecordedEvent, void, void>;

/** For the whole log from its start: what events do not repeat is remembered on the way. Each use starts anew. */
export function createEventFilter(wanted: EventCriteria, log: Pick<EventLog, 'readStream'>): EventFilter {
  const { userId, clientId } = wanted;
  return async function* (batches, signal) {
    // What concerns a user is known from earlier events, too: this one has to see every event, and comes first.
    const isOfUser = userId === undefined ? () => true : concernsUser(userId);
    const isOfThatClient: EventPredicate =
      clientId === undefined ? () => true : concernsClient(clientId, createPartiesLookup(log));
    for await (const events of batches) {
      for (const event of events) {
        if (signal.aborted) return;
        if (!isOfUser(event) || !matchesEnvelope(event, wanted)) continue;
        const isWanted = isOfThatClient(event);
        if (typeof isWanted === 'boolean' ? isWanted : await isWanted) yield event;
      }
      if (signal.aborted) return;
    }
  };
}

/** The same for an event in the middle of the log, none before it seen: what it does not say is looked up. */
export function createEventPredicate(wanted: EventCriteria, partiesOf: FindParties): EventPredicate {
  const { userId, clientId } = wanted;
  const isOfUser: EventPredicate = userId === undefined ? () => true : concernsUserAlone(userId, partiesOf);
  const isOfThatClient: EventPredicate = clientId === undefined ? () => true : concernsClient(clientId, partiesOf);
  return (event) => {
    if (!matchesEnvelope(event, wanted)) return false;
    const isTheirs = isOfUser(event);
    if (typeof isTheirs === 'boolean') return isTheirs && isOfThatClient(event);
    return isTheirs.then((yes) => yes && isOfThatClient(event));
  };
}

function matchesEnvelope(
  { recordedAt, type }: RecordedEvent,
  { types, since = 0, until = Infinity }: EventCriteria,
): boolean {
  return recordedAt >= since && recordedAt < until && types?.some((wanted) => wanted === type) !== false;
}

/**
 * Events that say the user's id, those the user caused, and all of the streams of the user's grants and
 * applications. By id and never by the stream of the name: another account may have had the name before.
 */
function concernsUser(userId: UserId): (event: RecordedEvent) => boolean {
  /** Rotations, redemptions and revocations do not repeat whose grant it is. As many as one person has. */
  const theirs = new Set<string>();
  return (event) => {
    const { subject, ownerId } = userIds(event);
    if (ownerId === userId || (subject === userId && isGrantStream(event.stream))) theirs.add(event.stream);
    return subject === userId || isBy(event, 'user', userId) || theirs.has(event.stream);
  };
}

function concernsUserAlone(userId: UserId, partiesOf: FindParties): EventPredicate {
  return (event) => {
    const { subject, ownerId } = userIds(event);
    if (subject === userId || ownerId === userId || isBy(event, 'user', userId)) return true;
    const isSaid = subject !== undefined || ownerId !== undefined;
    return (
      !isSaid &&
      (isGrantStream(event.stream) || isClientStream(event.stream)) &&
      partyMatches(partiesOf, event, 'userId', userId)
    );
  };
}

/** Events that say the client's id, those of its stream, those it caused, and all of its grants. */
function concernsClient(clientId: ClientId, partiesOf: FindParties): EventPredicate {
  return (event) => {
    const { clientId: said } = decodeEvent(event).data as { readonly clientId?: unknown };
    if (said !== undefined) return said === clientId;
    if (event.stream === clientStream(clientId)) return true;
    if (event.actor.kind === 'client') return isBy(event, 'client', clientId); // a client does nothing to another's grants
    // What is left is the end of a grant by somebody else, once in its life. A client's grants may be too many to remember.
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
  return parties instanceof Promise ? parties.then((found) => found[party] === id) : parties[party] === id;
}

function userIds(event: RecordedEvent): { readonly subject: unknown; readonly ownerId: unknown } {
  const { userId: subject, ownerId } = decodeEvent(event).data as {
    readonly userId?: unknown;
    readonly ownerId?: unknown;
  };
  return { subject, ownerId };
}

function isBy({ actor }: RecordedEvent, kind: 'user' | 'client', id: string): boolean {
  return actor.kind === kind && actor.id === id;
}
