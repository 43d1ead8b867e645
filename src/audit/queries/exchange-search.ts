import { decodeEvent } from '../../domain/events.ts';
import { grantIdOfToken } from '../../domain/token-exchange.ts';
import type { ClientId, GrantId, UserId } from '../../domain/values.ts';
import type { EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';

/**
 * A point in the past. Events after the position, or recorded after the time (milliseconds since the epoch), are later.
 */
export interface PastMoment {
  readonly position: number;
  readonly time: number;
}

export interface SearchLimits {
  /** The maximum number of exchanges to return. The newest are returned; older ones are only counted. */
  readonly maxExchanges: number;
  /** The maximum number of events to examine. */
  readonly maxEvents: number;
}

/** The exchanges that come from a grant, and the events of their users' accounts. */
export interface ExchangeSearchResult {
  /** The first events of the newest exchanges, oldest first. */
  readonly newest: readonly RecordedEvent[];
  readonly count: number;
  /** Returns the number of exchanges of a grant's tokens. */
  readonly countOf: (grantId: GrantId) => number;
  /** Returns the events that may end a user's grants, oldest first. */
  readonly accountEvents: (userId: UserId) => readonly RecordedEvent[];
  /** The position of the last examined event. */
  readonly lastPosition: Position;
  /** Whether every event up to the moment was examined. */
  readonly isComplete: boolean;
}

const ACCOUNT_EVENT_TYPES: ReadonlySet<string> = new Set([
  'UserDisabled',
  'UserErased',
  'AllSessionsEnded',
  'PasswordChanged',
  'PasskeyRemoved',
]);

/** Reports whether the event may end a user's grants, because it ends the account or sessions. */
export const isAccountEvent = ({ type }: RecordedEvent): boolean => ACCOUNT_EVENT_TYPES.has(type);

/**
 * Finds the exchanges whose chain starts at `root`. Reads the log from there, because every exchange comes after its
 * root and records which one it is.
 */
export async function searchExchanges(
  root: RecordedEvent,
  { position, time }: PastMoment,
  { maxExchanges, maxEvents }: SearchLimits,
  log: Pick<EventLog, 'readAll'>,
): Promise<ExchangeSearchResult> {
  const { grantId, userId } = decodeEvent(root).data as { grantId: GrantId; userId: UserId | null };
  const newest: RecordedEvent[] = [];
  const counts = new Map<GrantId, number>();
  const accounts = new Map<UserId, RecordedEvent[]>(userId === null ? [] : [[userId, []]]);
  let [lastPosition, count, examinedCount, isComplete] = [root.position, 0, 0, true];

  function add(event: RecordedEvent): void {
    const { type, data } = decodeEvent(event);
    if (type !== 'TokenExchanged' || data.root.grantId !== grantId) return;
    count += 1;
    const parent = grantIdOfToken(data.parent);
    if (parent !== undefined) counts.set(parent, (counts.get(parent) ?? 0) + 1);
    const actorUserId = data.actor?.userId ?? null;
    if (actorUserId !== null && !accounts.has(actorUserId)) accounts.set(actorUserId, []);
    newest.push(event);
    if (newest.length > maxExchanges) newest.shift();
  }

  search: for await (const events of log.readAll(root.position)) {
    for (const event of events) {
      if (event.position > position || event.recordedAt > time) break search;
      if (examinedCount === maxEvents) {
        isComplete = false;
        break search;
      }
      examinedCount += 1;
      lastPosition = event.position;
      if (event.type === 'TokenExchanged') add(event);
      else if (isAccountEvent(event)) accounts.get((event.data as { userId: UserId }).userId)?.push(event);
    }
  }
  return {
    newest,
    count,
    countOf: (id) => counts.get(id) ?? 0,
    accountEvents: (id) => accounts.get(id) ?? [],
    lastPosition,
    isComplete,
  };
}

/** Returns the client and the user in the first event of a grant. */
export function decodeParties(first: RecordedEvent): { readonly clientId: ClientId; readonly userId: UserId | null } {
  const { clientId, userId } = decodeEvent(first).data as { clientId: ClientId; userId: UserId | null };
  return { clientId, userId };
}
