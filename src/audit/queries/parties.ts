import { decodeEvent } from '../../domain/events.ts';
import type { ClientId, GrantId, UserId } from '../../domain/values.ts';
import type { EventLog, RecordedEvent, StreamName } from '../../event-store/event-log.ts';
import type { Grants } from '../../projections/grants.ts';

/** The user and the client of a grant or an application; null if there is none. */
export interface Parties {
  /** The user who authorized the grant, or the owner of the application. */
  readonly userId: UserId | null;
  readonly clientId: ClientId | null;
}

/** The parties of a stream. Synchronous if they are known already. */
export type FindParties = (stream: StreamName) => Parties | Promise<Parties>;

const NO_PARTIES: Parties = { userId: null, clientId: null };
const GRANT_PREFIX = 'grant-';

export const isGrantStream = (stream: StreamName): boolean => stream.startsWith(GRANT_PREFIX);
export const isClientStream = (stream: StreamName): boolean => stream.startsWith('client-');

/** Reads the stream's first event, because later ones do not repeat its parties. */
export function createPartiesLookup(log: Pick<EventLog, 'readStream'>): (stream: StreamName) => Promise<Parties> {
  return async (stream) => {
    if (!isGrantStream(stream) && !isClientStream(stream)) return NO_PARTIES;
    for await (const [first] of log.readStream(stream))
      return first === undefined ? NO_PARTIES : partiesOfFirstEvent(first);
    return NO_PARTIES;
  };
}

function partiesOfFirstEvent(event: RecordedEvent): Parties {
  const { userId, ownerId, clientId } = decodeEvent(event).data as {
    readonly userId?: UserId | null;
    readonly ownerId?: UserId | null;
    readonly clientId?: ClientId;
  };
  return { userId: userId ?? ownerId ?? null, clientId: clientId ?? null };
}

/** A cache for one request. It finds live grants without reading the log. */
export function createPartiesCache(log: Pick<EventLog, 'readStream'>, live: Pick<Grants, 'find'>): FindParties {
  const known = new Map<StreamName, Parties>();
  const lookUp = createPartiesLookup(log);
  return (stream) => {
    const found =
      known.get(stream) ??
      (isGrantStream(stream) ? live.find(stream.slice(GRANT_PREFIX.length) as GrantId) : undefined);
    if (found !== undefined) return found;
    return lookUp(stream).then((parties) => {
      known.set(stream, parties);
      return parties;
    });
  };
}
