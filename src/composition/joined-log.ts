import { isKnownEvent } from '../domain/events.ts';
import type { EventLog, Position, RecordedEvent } from '../event-store/event-log.ts';
import { createFreshness, type Freshness } from '../event-store/freshness.ts';
import { withFollower, guardLog } from '../event-store/later-events.ts';
import type { Clock } from '../platform/ports.ts';
import { createAgreedClock } from './agreed-clock.ts';

/** This node's view of a log that other nodes also append to. */
export interface JoinedLog {
  /** Refuses appends after an event that this release does not recognize, and after `stop`. */
  readonly log: EventLog;
  /** The clock that all nodes agree on. */
  readonly clock: Clock;
  /** Returns the log for the projections. Events go to the projections first, and then to each of `followers`. */
  readonly withFollowers: (...followers: readonly ((events: readonly RecordedEvent[]) => void)[]) => EventLog;
  /** Stops this node: from now on, it refuses requests and appends. */
  readonly stop: (problem: string) => void;
  /** Tracks how current the projections are. `position` returns the position that they have reached. */
  readonly trackFreshness: (position: () => Position) => Freshness;
}

export interface JoinedLogDeps {
  readonly clock: Clock;
  readonly maxStalenessSeconds: number;
  readonly notice: (line: string) => void;
}

/** Joins a shared log. Returns undefined if the log is not shared. */
export function joinLog(sharedLog: EventLog, deps: JoinedLogDeps): JoinedLog | undefined {
  const { shared } = sharedLog;
  if (shared === undefined) return undefined;
  const { clock, maxStalenessSeconds, notice } = deps;
  const { log, problem: laterEvent, stop } = guardLog(sharedLog, { isKnown: isKnownEvent, report: notice });
  return {
    log,
    stop,
    clock: createAgreedClock(clock, shared.clockOffset),
    withFollowers: (...followers) => followers.reduce(withFollower, log),
    trackFreshness: (position) =>
      createFreshness({ shared, position, ticks: clock.ticks, maxStalenessSeconds, laterEvent, notice }),
  };
}
