import type { Clock } from '../ports.ts';
import type { EventLog, RecordedEvent } from '../eventsourcing/event-log.ts';
import { decodeEvent, type EventOf } from '../domain/events.ts';
import { grantStream } from '../domain/streams.ts';
import type { CredentialHash, GrantId } from '../domain/values.ts';
import type { Happened } from '../refusals/refusal.ts';

/** What the log has of a grant that something was refused under. */
export interface GrantHistory {
  readonly code: EventOf<'AuthorizationCodeIssued'>['data'] | null;
  readonly redeemed: Happened | null;
  readonly firstRefresh: EventOf<'RefreshTokenIssued'>['data'] | null;
  readonly rotations: readonly (Happened & EventOf<'RefreshTokenRotated'>['data'])[];
  readonly revoked: (Happened & EventOf<'GrantRevoked'>['data']) | null;
}

/** The grant's history; null where it is not looked up, because too much was refused in this second, or cannot be. */
export type ReadGrantHistory = (grantId: GrantId, isProven: boolean) => Promise<GrantHistory | null>;

/**
 * Explaining must not cost more than refusing did: so many events are read in a second, and what strangers send does not use
 * up the others'. A grant that was refreshed for years has thousands, so what is counted is not look-ups.
 */
const EVENTS_A_SECOND = 500;
/** A look-up by itself costs as much as so many. */
const EVENTS_OF_A_LOOK_UP = 10;

export function createGrantHistory({ log, clock }: { readonly log: Pick<EventLog, 'readStream'>; readonly clock: Clock }): ReadGrantHistory {
  const budgets = { proven: createBudget(), others: createBudget() };

  /** A log that cannot be read is somebody else's finding: what was refused stays refused, in the words of the protocol. */
  async function eventsOf(grantId: GrantId): Promise<readonly RecordedEvent[] | null> {
    try {
      return (await log.readStream(grantStream(grantId))).events;
    } catch {
      return null;
    }
  }

  /** Side by side one grant is read once: what it costs is known only afterwards. */
  const reading = { proven: new Map<GrantId, Promise<GrantHistory | null>>(), others: new Map<GrantId, Promise<GrantHistory | null>>() };

  async function read(grantId: GrantId, budget: Budget): Promise<GrantHistory | null> {
    const now = Math.floor(clock.now() / 1000);
    if (!budget.admits(Math.floor(clock.ticks() / 1000))) return null;
    const events = await eventsOf(grantId);
    if (events === null) return null;
    budget.spend(events.length);
    const told = events.map((recorded) => ({
      ...decodeEvent(recorded),
      happened: { position: recorded.position, secondsAgo: now - Math.floor(recorded.recordedAt / 1000) },
    }));
    const revoked = told.find((event) => event.type === 'GrantRevoked');
    return {
      code: told.find((event) => event.type === 'AuthorizationCodeIssued')?.data ?? null,
      redeemed: told.find((event) => event.type === 'AuthorizationCodeRedeemed')?.happened ?? null,
      firstRefresh: told.find((event) => event.type === 'RefreshTokenIssued')?.data ?? null,
      rotations: told.flatMap((event) => (event.type === 'RefreshTokenRotated' ? [{ ...event.happened, ...event.data }] : [])),
      revoked: revoked === undefined ? null : { ...revoked.happened, ...revoked.data },
    };
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

interface Budget {
  /** Whether there is anything left in this second for another look-up. */
  admits(second: number): boolean;
  /** What a look-up came to, which may be more than there was: the seconds to come pay for it. */
  spend(events: number): void;
}

function createBudget(): Budget {
  let [at, left] = [0, EVENTS_A_SECOND];
  return {
    admits(second) {
      left = Math.min(EVENTS_A_SECOND, left + Math.max(0, second - at) * EVENTS_A_SECOND);
      at = second;
      if (left <= 0) return false;
      left -= EVENTS_OF_A_LOOK_UP;
      return true;
    },
    spend(events) {
      left -= events;
    },
  };
}

/** When a refresh token of the grant ends; undefined when it never was one of its. */
export function expiryOfRefreshToken({ firstRefresh, rotations }: GrantHistory, hash: CredentialHash): { readonly expiresAt: number | null } | undefined {
  return [...(firstRefresh === null ? [] : [firstRefresh]), ...rotations].find(({ tokenHash }) => tokenHash === hash);
}
