import type { Clock } from '../../src/ports.ts';

/** Time that passes only when a test says so. */
export interface ManualClock extends Clock {
  advance(seconds: number): void;
}

export function manualClock(startsAt = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startsAt;
  return {
    now: () => now,
    advance: (seconds) => void (now += seconds * 1000),
  };
}
