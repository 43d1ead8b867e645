import type { Clock } from '../platform/ports.ts';

/** The measured offset varies with the network delay. A larger step back means that somebody set a clock back. */
const MAX_CORRECTION_MILLISECONDS = 1_000;

/**
 * Creates a clock that all nodes of a shared log agree on: this node's clock plus the offset of the storage's
 * clock. If the offset decreases slightly, the agreed clock does not go back: it stands still until the time has caught
 * up.
 * @param offset how far the storage's clock is ahead of `clock`, in milliseconds
 */
export function createAgreedClock(clock: Clock, offset: () => number): Clock {
  let latest = -Infinity;
  return {
    ticks: clock.ticks,
    now() {
      const time = Math.round(clock.now() + offset());
      const isCorrection = time < latest && latest - time <= MAX_CORRECTION_MILLISECONDS;
      if (!isCorrection) latest = time;
      return latest;
    },
  };
}
