import type { Clock } from '../../src/platform/ports.ts';

/** A clock that only the test advances. */
export interface ManualClock extends Clock {
  /** Lets time pass. */
  advance(seconds: number): void;
  /** Moves the wall clock, like an operator or NTP; back if negative. No time passes. */
  set(seconds: number): void;
}

export function manualClock(startsAt = Date.UTC(2026, 0, 1)): ManualClock {
  let [now, passed] = [startsAt, 0];
  return {
    now: () => now,
    ticks: () => passed,
    advance(seconds) {
      now += seconds * 1000;
      passed += seconds * 1000;
    },
    set: (seconds) => void (now += seconds * 1000),
  };
}
