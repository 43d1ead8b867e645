import type { Clock } from '../../src/platform/ports.ts';

/** A clock that only the test advances. */
export interface ManualClock extends Clock {
  /** Lets time pass. */
  advance(seconds: number): void;
  /** Shifts the wall clock, as an operator or NTP would; backward if negative. No time passes. */
  shift(seconds: number): void;
}

/** @param startsAt the initial time of the wall clock, in milliseconds since the epoch */
export function manualClock(startsAt = Date.UTC(2026, 0, 1)): ManualClock {
  let [now, elapsed] = [startsAt, 0];
  return {
    now: () => now,
    ticks: () => elapsed,
    advance(seconds) {
      now += seconds * 1000;
      elapsed += seconds * 1000;
    },
    shift: (seconds) => void (now += seconds * 1000),
  };
}
