import { accept, refuse, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import type { EpochSeconds } from './values.ts';

/** The events of the stream `clock`: corrections to the server's clock. */
export type ClockEvent = EventOf<'ClockSetBack'>;

/** A tolerance that exceeds the clock differences between nodes and small NTP corrections. */
export const CLOCK_TOLERANCE_SECONDS = 300;

/**
 * Reports whether a credential issued at `issuedAt` can be used at `now`, both in seconds since the epoch. A credential
 * with a much later issue time was issued while the clock was ahead, and would be valid for too long.
 */
export function isIssueTimeValid(issuedAt: number, now: number): boolean {
  return issuedAt <= now + CLOCK_TOLERANCE_SECONDS;
}

export interface ConfirmClock {
  readonly type: 'ConfirmClock';
  readonly now: EpochSeconds;
  /** The latest time in the log. */
  readonly newestAt: EpochSeconds;
}

export type ClockRefusal = 'clock-agrees';

export const clock: Decider<ConfirmClock, null, ClockEvent, ClockRefusal> = {
  initial: null,
  decide({ now, newestAt }) {
    if (isIssueTimeValid(newestAt, now)) return refuse('clock-agrees');
    const issuedAfter = (now + CLOCK_TOLERANCE_SECONDS) as EpochSeconds;
    return accept<ClockEvent>({ type: 'ClockSetBack', data: { setBackTo: now, newestAt, issuedAfter } });
  },
  evolve: () => null,
};
