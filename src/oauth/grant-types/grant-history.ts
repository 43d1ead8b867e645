import type { Clock } from '../../platform/ports.ts';
import type { EventLog, RecordedEvent, StreamName } from '../../event-store/event-log.ts';
import { decodeEvent, type EventOf } from '../../domain/events.ts';
import { grantStream } from '../../domain/streams.ts';
import type { GrantId } from '../../domain/values.ts';
import type { PastEvent } from '../refusals/refusal.ts';

/** What the log has of a grant that something was refused under: how it began, and what happened to it last. */
export interface GrantHistory {
  readonly code: EventOf<'AuthorizationCodeIssued'>['data'] | null;
  readonly redeemed: PastEvent | null;
  readonly firstRefresh: EventOf<'RefreshTokenIssued'>['data'] | null;
  /** The newest ones, newest first. */
  readonly rotations: readonly (PastEvent & EventOf<'RefreshTokenRotated'>['data'])[];
  /** Whether those are all rotations that there were. */
  readonly isComplete: boolean;
  readonly revoked: (PastEvent & EventOf<'GrantRevoked'>['data']) | null;
}

/** The grant's history; null where it is not looked up, because too much was refused in this second, or cannot be. */
export type ReadGrantHistory = (grantId: GrantId, isProven: boolean) => Promise<GrantHistory | null>;

/**
 * Explaining must not cost more than refusing did: so many events are read in a second, and what strangers send does
 * not use up the others'.
 */
const EVENTS_PER_SECOND = 500;
/** A look-up by itself costs as much as so many. */
const LOOKUP_COST = 10;

/** Of a grant that was refreshed for years, with thousands of events, its first page is read and so many at its end. */
const TAIL_EVENTS = 50;

type Log = Pick<EventLog, 'readStream' | 'readStreamBackwards'>;

export function createGrantHistory({ log, clock }: { readonly log: Log; readonly clock: Clock }): ReadGrantHistory {
  const budgets = { proven: createBudget(), others: createBudget() };

  /** Side by side one grant is read once: what it costs is known only afterwards. */
  const reading = {
    proven: new Map<GrantId, Promise<GrantHistory | null>>(),
    others: new Map<GrantId, Promise<GrantHistory | null>>(),
  };

  async function read(grantId: GrantId, budget: Budget): Promise<GrantHistory | null> {
    const now = Math.floor(clock.now() / 1000);
    if (!budget.admits(Math.floor(clock.ticks() / 1000))) return null;
    // A log that cannot be read is reported elsewhere. What was refused stays refused, in the words of the protocol.
    const events = await readHeadAndTail(grantId, log).catch(() => null);
    if (events === null) return null;
    budget.spend(events.read);
    return toHistory(events, now);
  }

  return (grantId, isProven) => {
    const who = isProven ? 'proven' : 'others';
    const current = reading[who].get(grantId);
    if (current !== undefined) return current;
    const history = read(grantId, budgets[who]).finally(() => reading[who].delete(grantId));
    reading[who].set(grantId, history);
    return history;
  };
}

/** A grant's first events and its last ones, in order; of a short one all of them. */
interface HeadAndTail {
  readonly first: readonly RecordedEvent[];
  readonly last: readonly RecordedEvent[];
  readonly isWhole: boolean;
  readonly read: number;
}

async function readHeadAndTail(grantId: GrantId, log: Log): Promise<HeadAndTail> {
  const stream = grantStream(grantId);
  const newestFirst: RecordedEvent[] = [];
  for await (const page of log.readStreamBackwards(stream)) {
    newestFirst.push(...page);
    if (newestFirst.length < TAIL_EVENTS) continue;
    const last = newestFirst.toReversed();
    const first = await firstPage(stream, log);
    return { first, last, isWhole: first[0]?.position === last[0]?.position, read: first.length + last.length };
  }
  const all = newestFirst.toReversed();
  return { first: all, last: all, isWhole: true, read: all.length };
}

async function firstPage(stream: StreamName, log: Log): Promise<readonly RecordedEvent[]> {
  for await (const page of log.readStream(stream)) return page;
  return [];
}

function toHistory({ first, last, isWhole }: HeadAndTail, now: number): GrantHistory {
  const told = (events: readonly RecordedEvent[]) =>
    events.map((recorded) => ({
      ...decodeEvent(recorded),
      happened: { position: recorded.position, secondsAgo: now - Math.floor(recorded.recordedAt / 1000) },
    }));
  const [beginning, end] = [told(first), told(last)];
  const revoked = end.find((event) => event.type === 'GrantRevoked');
  return {
    code: beginning.find((event) => event.type === 'AuthorizationCodeIssued')?.data ?? null,
    redeemed: beginning.find((event) => event.type === 'AuthorizationCodeRedeemed')?.happened ?? null,
    firstRefresh: beginning.find((event) => event.type === 'RefreshTokenIssued')?.data ?? null,
    rotations: end
      .toReversed()
      .flatMap((event) => (event.type === 'RefreshTokenRotated' ? [{ ...event.happened, ...event.data }] : [])),
    isComplete: isWhole,
    revoked: revoked === undefined ? null : { ...revoked.happened, ...revoked.data },
  };
}

interface Budget {
  /** Whether there is anything left in this second for another look-up. */
  admits(second: number): boolean;
  /** What a look-up came to, which may be more than there was: the seconds to come pay for it. */
  spend(events: number): void;
}

function createBudget(): Budget {
  let [at, left] = [0, EVENTS_PER_SECOND];
  return {
    admits(second) {
      left = Math.min(EVENTS_PER_SECOND, left + Math.max(0, second - at) * EVENTS_PER_SECOND);
      at = second;
      if (left <= 0) return false;
      left -= LOOKUP_COST;
      return true;
    },
    spend(events) {
      left -= events;
    },
  };
}
