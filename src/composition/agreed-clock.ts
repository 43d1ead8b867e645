import type { Clock } from '../platform/ports.ts';

/** The measured offset varies with the network delay. A larger step means that a clock was set. */
const MAX_CORRECTION_MILLISECONDS = 1_000;

/**
 * Creates a clock that all nodes of a shared log agree on: this node's clock plus its offset from the clock of the
 * storage. A small correction to the offset does not turn time back: time stops until the clock has caught up.
 * @param offset how far the storage is ahead of `clock`, in milliseconds
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
