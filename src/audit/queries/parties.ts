import { decodeEvent } from '../../domain/events.ts';
import { SETTINGS_STREAM } from '../../domain/streams.ts';
import type { ClientId, GrantId, UserId } from '../../domain/values.ts';
import type { EventLog, RecordedEvent, Revision, StreamName } from '../../event-store/event-log.ts';
import type { Grants } from '../../projections/grants.ts';

/** The user and the client that the events of a stream concern. Either may be null. */
export interface Parties {
  /** The user who authorized the grant, or the first owner of the application. */
  readonly userId: UserId | null;
  readonly clientId: ClientId | null;
  /** The owners of the application, past and present; absent if the stream is not that of an application. */
  readonly owners?: readonly Ownership[];
  /** The changes to settings or to a provider, oldest first, if this is their stream. */
  readonly changes?: readonly RecordedEvent[];
}

/** The range of revisions in the application's stream during which the user was an owner. */
interface Ownership {
  readonly userId: UserId;
  readonly firstRevision: Revision;
  /** Null for a current owner. */
  readonly lastRevision: Revision | null;
}

/** Returns the parties of a stream, synchronously if they are already known. */
export type FindParties = (stream: StreamName) => Parties | Promise<Parties>;

const NO_PARTIES: Parties = { userId: null, clientId: null };
const GRANT_PREFIX = 'grant-';

export const isGrantStream = (stream: StreamName): boolean => stream.startsWith(GRANT_PREFIX);
const isProviderStream = (stream: StreamName): boolean => stream.startsWith('provider-');
export const isClientStream = (stream: StreamName): boolean => stream.startsWith('client-');

/**
 * Creates a function that reads the parties of a stream. It reads only the first event of a grant, which contains the
 * parties, but all events of a client, because its owners change, and of settings and providers, because their
 * sentences compare each change with the previous one.
 */
export function createPartiesLookup(log: Pick<EventLog, 'readStream'>): (stream: StreamName) => Promise<Parties> {
  return async (stream) => {
    if (stream === SETTINGS_STREAM || isProviderStream(stream))
      return { ...NO_PARTIES, changes: await readAllEvents(stream, log) };
    if (!isGrantStream(stream) && !isClientStream(stream)) return NO_PARTIES;
    let parties = NO_PARTIES;
    for await (const events of log.readStream(stream)) {
      if (parties === NO_PARTIES && events[0] !== undefined) parties = partiesOfFirstEvent(events[0]);
      if (isGrantStream(stream)) return parties;
      parties = { ...parties, owners: events.reduce(ownersAfter, parties.owners ?? []) };
    }
    return parties;
  };
}

/**
 * Reports whether the user owned the application when the event was recorded, or became or ceased to be an owner with
 * that event.
 */
export function wasOwner({ owners = [] }: Parties, userId: string, { revision }: RecordedEvent): boolean {
  return owners.some(
    (ownership) =>
      ownership.userId === userId &&
      ownership.firstRevision <= revision &&
      revision <= (ownership.lastRevision ?? revision),
  );
}

async function readAllEvents(stream: StreamName, log: Pick<EventLog, 'readStream'>): Promise<readonly RecordedEvent[]> {
  const allEvents: RecordedEvent[] = [];
  for await (const events of log.readStream(stream)) allEvents.push(...events);
  return allEvents;
}

/** Returns the value of the setting before the event changed it, or undefined if it had its default. */
export function previousSettingValue({ changes = [] }: Parties, event: RecordedEvent): unknown {
  const { name } = event.data as { readonly name: string };
  const earlierChange = changes.findLast(
    (change) => change.revision < event.revision && (change.data as { readonly name: string }).name === name,
  );
  return (earlierChange?.data as { readonly value?: unknown } | undefined)?.value;
}

/** Returns the previous event about the provider, or undefined if `event` is the first one. */
export function previousProviderEvent({ changes = [] }: Parties, event: RecordedEvent): RecordedEvent | undefined {
  return changes.findLast(({ revision }) => revision < event.revision);
}

function ownersAfter(owners: readonly Ownership[], event: RecordedEvent): readonly Ownership[] {
  const { type, data } = decodeEvent(event);
  const start = (userId: UserId): readonly Ownership[] => [
    ...owners,
    { userId, firstRevision: event.revision, lastRevision: null },
  ];
  if (type === 'ClientRegistered' && data.ownerId !== null) return start(data.ownerId);
  if (type === 'ClientMemberAdded' && data.role === 'owner') return start(data.userId);
  if (type !== 'ClientMemberRemoved') return owners;
  const isCurrentOwnership = (ownership: Ownership): boolean =>
    ownership.userId === data.userId && ownership.lastRevision === null;
  return owners.map((ownership) =>
    isCurrentOwnership(ownership) ? { ...ownership, lastRevision: event.revision } : ownership,
  );
}

function partiesOfFirstEvent(event: RecordedEvent): Parties {
  const { userId, ownerId, clientId } = decodeEvent(event).data as {
    readonly userId?: UserId | null;
    readonly ownerId?: UserId | null;
    readonly clientId?: ClientId;
  };
  return { userId: userId ?? ownerId ?? null, clientId: clientId ?? null };
}

/** Caches parties for one request. Live grants are found without reading the log. */
export function createPartiesCache(log: Pick<EventLog, 'readStream'>, liveGrants: Pick<Grants, 'find'>): FindParties {
  const partiesByStream = new Map<StreamName, Parties>();
  const lookUp = createPartiesLookup(log);
  return (stream) => {
    const knownParties =
      partiesByStream.get(stream) ??
      (isGrantStream(stream) ? liveGrants.find(stream.slice(GRANT_PREFIX.length) as GrantId) : undefined);
    if (knownParties !== undefined) return knownParties;
    return lookUp(stream).then((parties) => {
      if (parties.changes === undefined) partiesByStream.set(stream, parties); // a cached list would lack later changes
      return parties;
    });
  };
}
