import { decodeEvent } from '../../domain/events.ts';
import { SETTINGS_STREAM } from '../../domain/streams.ts';
import type { ClientId, GrantId, UserId } from '../../domain/values.ts';
import type { EventLog, RecordedEvent, Revision, StreamName } from '../../event-store/event-log.ts';
import type { Grants } from '../../projections/grants.ts';

/** The user and the client that the events of a stream concern. Either can be null. */
export interface Parties {
  /** The user who authorized the grant, or the owner with whom the application was registered. */
  readonly userId: UserId | null;
  readonly clientId: ClientId | null;
  /** The owners of the application, past and present; absent if the stream is not that of an application. */
  readonly owners?: readonly Ownership[];
  /** The changes to settings or to a provider, oldest first, if this is their stream. */
  readonly changes?: readonly RecordedEvent[];
}

/** The first and the last revision of the application's stream with this owner. `to` is null for a current owner. */
interface Ownership {
  readonly userId: UserId;
  readonly from: Revision;
  readonly to: Revision | null;
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
    (ownership) => ownership.userId === userId && ownership.from <= revision && revision <= (ownership.to ?? revision),
  );
}

async function readAllEvents(stream: StreamName, log: Pick<EventLog, 'readStream'>): Promise<readonly RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for await (const events of log.readStream(stream)) all.push(...events);
  return all;
}

/** Returns the value of the setting before `recorded` changed it, or undefined if it had its default. */
export function previousSettingValue({ changes = [] }: Parties, recorded: RecordedEvent): unknown {
  const { name } = recorded.data as { readonly name: string };
  const earlier = changes.findLast(
    (change) => change.revision < recorded.revision && (change.data as { readonly name: string }).name === name,
  );
  return (earlier?.data as { readonly value?: unknown } | undefined)?.value;
}

/** Returns the previous event about the provider, or undefined if `recorded` is the first one. */
export function previousProviderEvent({ changes = [] }: Parties, recorded: RecordedEvent): RecordedEvent | undefined {
  return changes.findLast(({ revision }) => revision < recorded.revision);
}

function ownersAfter(owners: readonly Ownership[], recorded: RecordedEvent): readonly Ownership[] {
  const { type, data } = decodeEvent(recorded);
  const start = (userId: UserId): readonly Ownership[] => [...owners, { userId, from: recorded.revision, to: null }];
  if (type === 'ClientRegistered' && data.ownerId !== null) return start(data.ownerId);
  if (type === 'ClientMemberAdded' && data.role === 'owner') return start(data.userId);
  if (type !== 'ClientMemberRemoved') return owners;
  const isEnding = (ownership: Ownership): boolean => ownership.userId === data.userId && ownership.to === null;
  return owners.map((ownership) => (isEnding(ownership) ? { ...ownership, to: recorded.revision } : ownership));
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
export function createPartiesCache(log: Pick<EventLog, 'readStream'>, live: Pick<Grants, 'find'>): FindParties {
  const known = new Map<StreamName, Parties>();
  const lookUp = createPartiesLookup(log);
  return (stream) => {
    const found =
      known.get(stream) ??
      (isGrantStream(stream) ? live.find(stream.slice(GRANT_PREFIX.length) as GrantId) : undefined);
    if (found !== undefined) return found;
    return lookUp(stream).then((parties) => {
      if (parties.changes === undefined) known.set(stream, parties); // a cached list would lack later changes
      return parties;
    });
  };
}
