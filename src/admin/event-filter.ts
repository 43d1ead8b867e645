import { z } from 'zod';
import { decodeEvent, EVENT_TYPES } from '../domain/events.ts';
import { clientStream } from '../domain/streams.ts';
import type { ClientId, UserId } from '../domain/values.ts';
import type { EventLog, RecordedEvent } from '../eventsourcing/event-log.ts';
import type { Administration } from './administration.ts';
import { OperationRefused } from './refused.ts';

/** What an operation on events can be narrowed to; what is not given leaves nothing out. */
export const filterFields = {
  /** Any of these. */
  types: z.array(z.enum(EVENT_TYPES, { error: `there is no such event type; there are ${EVENT_TYPES.join(', ')}` })).min(1).optional(),
  /** A user's name, as of now. */
  user: z.string().optional(),
  client: z.string().optional(),
  /** Recorded then or later; milliseconds since the epoch. */
  since: z.int().nonnegative().optional(),
  /** Recorded before then, so that one export goes on where the one before ended; milliseconds since the epoch. */
  until: z.int().nonnegative().optional(),
};

type Asked = z.output<z.ZodObject<typeof filterFields>>;
type Batches = AsyncIterable<readonly RecordedEvent[]>;
type Test = (event: RecordedEvent) => boolean | Promise<boolean>;

/** Leaves out of the whole log, read from its start, what was not asked for. */
export type EventFilter = (batches: Batches, signal: AbortSignal) => AsyncGenerator<RecordedEvent, void, void>;

/**
 * The filter for what was asked; undefined when everything was. Each use of it starts anew.
 * @throws OperationRefused nobody has the name that was asked for
 */
export function eventFilter(asked: Asked, { log, projections }: Pick<Administration, 'log' | 'projections'>): EventFilter | undefined {
  const { user, client, types, since = 0, until = Infinity } = asked;
  if (Object.values(asked).every((value) => value === undefined)) return undefined;
  const userId = user === undefined ? undefined : userIdOf(user, projections.users);
  return async function* (batches, signal) {
    // What concerns a user is known from earlier events, too: this one has to see every event, and comes first.
    const isOfUser: Test = userId === undefined ? () => true : concernsUser(userId);
    const isOfClient: Test = client === undefined ? () => true : concernsClient(client as ClientId, log);
    for await (const events of batches) {
      for (const event of events) {
        if (signal.aborted) return;
        if (!isOfUser(event) || event.recordedAt < since || event.recordedAt >= until || types?.some((type) => type === event.type) === false) continue;
        const isWanted = isOfClient(event);
        if (typeof isWanted === 'boolean' ? isWanted : await isWanted) yield event;
      }
      if (signal.aborted) return;
    }
  };
}

function userIdOf(name: string, users: Administration['projections']['users']): UserId {
  const user = users.named(name.normalize('NFKC'));
  if (user === undefined) throw new OperationRefused(`there is no user ${JSON.stringify(name)}; one that was erased has no name any more that events could be found by`);
  return user.userId;
}

/**
 * Events that say the user's id, those the user caused, and all of the streams of the user's grants and
 * applications. By id and never by the stream of the name: another account may have had the name before.
 */
function concernsUser(userId: UserId): (event: RecordedEvent) => boolean {
  /** Rotations, redemptions and revocations do not repeat whose grant it is. As many as one person has. */
  const theirs = new Set<string>();
  return (event) => {
    const { stream, actor } = event;
    const { userId: subject, ownerId } = decodeEvent(event).data as { readonly userId?: unknown; readonly ownerId?: unknown };
    if (ownerId === userId || (subject === userId && isOfGrant(stream))) theirs.add(stream);
    return subject === userId || (actor.kind === 'user' && actor.id === userId) || theirs.has(stream);
  };
}

/** Events that say the client's id, those of its stream, those it caused, and all of its grants. */
function concernsClient(clientId: ClientId, log: Pick<EventLog, 'readStream'>): Test {
  return (event) => {
    const { stream, actor } = event;
    const said = clientIn(event);
    if (said !== undefined) return said === clientId;
    if (stream === clientStream(clientId)) return true;
    if (actor.kind === 'client') return actor.id === clientId; // a client does nothing to another's grants
    // What is left is the end of a grant by somebody else, once in its life. A client's grants may be too many to remember.
    return isOfGrant(stream) ? log.readStream(stream).then(({ events: [first] }) => first !== undefined && clientIn(first) === clientId) : false;
  };
}

function clientIn(event: RecordedEvent): unknown {
  return (decodeEvent(event).data as { readonly clientId?: unknown }).clientId;
}

function isOfGrant(stream: string): boolean {
  return stream.startsWith('grant-');
}
