import { recordedSecond } from '../../domain/recorded-second.ts';
import type { Clock } from '../../platform/ports.ts';
import type { EventLog, RecordedEvent, StreamName } from '../../event-store/event-log.ts';
import { decodeEvent, type DomainEvent, type EventOf } from '../../domain/events.ts';
import { grantStream } from '../../domain/streams.ts';
import type { GrantId } from '../../domain/values.ts';
import type { PastEvent } from '../refusals/refusal.ts';

/** The recorded history of a grant: its start and its latest changes. */
export interface GrantHistory {
  /** The authorization code or device code. */
  readonly code: EventOf<'AuthorizationCodeIssued' | 'DeviceAuthorized'>['data'] | null;
  readonly redeemed: PastEvent | null;
  readonly firstRefresh: EventOf<'RefreshTokenIssued'>['data'] | null;
  /** The latest rotations, newest first. */
  readonly rotations: readonly (PastEvent & EventOf<'RefreshTokenRotated'>['data'])[];
  /** Whether `rotations` contains every rotation. */
  readonly isComplete: boolean;
  readonly revoked: (PastEvent & EventOf<'GrantRevoked'>['data']) | null;
}

/**
 * Returns the history of a grant, or null if too many requests have just been refused or the log cannot be read.
 * @param isAuthenticated whether the client authenticated
 */
export type ReadGrantHistory = (grantId: GrantId, isAuthenticated: boolean) => Promise<GrantHistory | null>;

/**
 * Explaining a refusal must not cost more than the refusal itself. On average, at most this many events are read per
 * second. Authenticated and unauthenticated requests have separate budgets, so that unauthenticated requests cannot use
 * up the budget of authenticated clients.
 */
const EVENTS_PER_SECOND = 500;
/** The fixed cost of a lookup, in events. */
const LOOKUP_COST = 10;

/**
 * Grants that are refreshed for years have thousands of events. Only the first page is read, and as many of the last
 * pages as are needed to get at least this many events.
 */
const TAIL_EVENTS = 50;

type Log = Pick<EventLog, 'readStream' | 'readStreamBackwards'>;

export function createGrantHistoryReader({
  log,
  clock,
}: {
  readonly log: Log;
  readonly clock: Clock;
}): ReadGrantHistory {
  const budgets = { authenticated: createBudget(), unauthenticated: createBudget() };

  /** Concurrent lookups of a grant share one read, because the cost of a read is known only afterward. */
  const pendingReads = {
    authenticated: new Map<GrantId, Promise<GrantHistory | null>>(),
    unauthenticated: new Map<GrantId, Promise<GrantHistory | null>>(),
  };

  async function read(grantId: GrantId, budget: Budget): Promise<GrantHistory | null> {
    const now = Math.floor(clock.now() / 1000);
    if (!budget.admits(Math.floor(clock.ticks() / 1000))) return null;
    // A failure to read the log is reported elsewhere. The request is refused in any case.
    const events = await readHeadAndTail(grantId, log).catch(() => null);
    if (events === null) return null;
    budget.spend(events.eventsRead);
    return toHistory(events, now);
  }

  return (grantId, isAuthenticated) => {
    const caller = isAuthenticated ? 'authenticated' : 'unauthenticated';
    const pendingRead = pendingReads[caller].get(grantId);
    if (pendingRead !== undefined) return pendingRead;
    const history = read(grantId, budgets[caller]).finally(() => pendingReads[caller].delete(grantId));
    pendingReads[caller].set(grantId, history);
    return history;
  };
}

/** The first and last events of a grant, in order. For a short grant, both lists contain all events. */
interface HeadAndTail {
  readonly firstEvents: readonly RecordedEvent[];
  readonly lastEvents: readonly RecordedEvent[];
  readonly isComplete: boolean;
  readonly eventsRead: number;
}

async function readHeadAndTail(grantId: GrantId, log: Log): Promise<HeadAndTail> {
  const stream = grantStream(grantId);
  const newestFirst: RecordedEvent[] = [];
  for await (const page of log.readStreamBackwards(stream)) {
    newestFirst.push(...page);
    if (newestFirst.length < TAIL_EVENTS) continue;
    const lastEvents = newestFirst.toReversed();
    const firstEvents = await readFirstPage(stream, log);
    const isComplete = firstEvents[0]?.position === lastEvents[0]?.position;
    return { firstEvents, lastEvents, isComplete, eventsRead: firstEvents.length + lastEvents.length };
  }
  const events = newestFirst.toReversed();
  return { firstEvents: events, lastEvents: events, isComplete: true, eventsRead: events.length };
}

async function readFirstPage(stream: StreamName, log: Log): Promise<readonly RecordedEvent[]> {
  for await (const page of log.readStream(stream)) return page;
  return [];
}

function toHistory({ firstEvents, lastEvents, isComplete }: HeadAndTail, now: number): GrantHistory {
  const decode = (events: readonly RecordedEvent[]) =>
    events.map((event) => ({
      ...decodeEvent(event),
      moment: { position: event.position, secondsAgo: now - recordedSecond(event) },
    }));
  const [head, tail] = [decode(firstEvents), decode(lastEvents)];
  const revoked = tail.find((event) => event.type === 'GrantRevoked');
  return {
    code: head.find((event) => isCodeEvent(event))?.data ?? null,
    redeemed: head.find(({ type }) => REDEMPTIONS.includes(type))?.moment ?? null,
    firstRefresh: head.find((event) => event.type === 'RefreshTokenIssued')?.data ?? null,
    rotations: tail
      .toReversed()
      .flatMap((event) => (event.type === 'RefreshTokenRotated' ? [{ ...event.moment, ...event.data }] : [])),
    isComplete,
    revoked: revoked === undefined ? null : { ...revoked.moment, ...revoked.data },
  };
}

const REDEMPTIONS: readonly string[] = ['AuthorizationCodeRedeemed', 'DeviceCodeRedeemed'];

function isCodeEvent<Event extends DomainEvent>(
  event: Event,
): event is Event & EventOf<'AuthorizationCodeIssued' | 'DeviceAuthorized'> {
  return event.type === 'AuthorizationCodeIssued' || event.type === 'DeviceAuthorized';
}

interface Budget {
  /** Reports whether the budget allows another lookup in this second. If so, subtracts the fixed cost of a lookup. */
  admits(second: number): boolean;
  /**
   * Subtracts the number of events that a lookup has read. If the budget becomes negative, less remains for later
   * seconds.
   */
  spend(events: number): void;
}

function createBudget(): Budget {
  let [lastSecond, remaining] = [0, EVENTS_PER_SECOND];
  return {
    admits(second) {
      remaining = Math.min(EVENTS_PER_SECOND, remaining + Math.max(0, second - lastSecond) * EVENTS_PER_SECOND);
      lastSecond = second;
      if (remaining <= 0) return false;
      remaining -= LOOKUP_COST;
      return true;
    },
    spend(events) {
      remaining -= events;
    },
  };
}
