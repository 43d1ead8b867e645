import type { StartTimer } from '../../src/platform/ports.ts';

/** Timers that expire only when the test lets them. */
export interface ManualTimers {
  readonly startTimer: StartTimer;
  /** Returns the delays of the running timers in milliseconds, in the order in which they were started. */
  running(): readonly number[];
  /** Makes the running timers expire, or only those with a delay of at most `milliseconds`. */
  expire(milliseconds?: number): void;
}

export function manualTimers(): ManualTimers {
  const timers = new Map<object, { readonly milliseconds: number; readonly onExpired: () => void }>();
  return {
    startTimer(milliseconds, onExpired) {
      const timer = {};
      timers.set(timer, { milliseconds, onExpired });
      return () => timers.delete(timer);
    },
    running: () => [...timers.values()].map(({ milliseconds }) => milliseconds),
    expire(maxMilliseconds = Infinity) {
      const timersAtStart = [...timers];
      for (const [timer, { milliseconds, onExpired }] of timersAtStart) {
        if (milliseconds <= maxMilliseconds && timers.delete(timer)) onExpired();
      }
    },
  };
}
