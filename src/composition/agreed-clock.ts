import type { Clock } from '../platform/ports.ts';

/** A measured offset varies with the delay of the network. Larger steps come from somebody who sets a clock. */
const MAX_HELD_MILLISECONDS = 1_000;

/**
 * The time on which all nodes of a shared log agree: this node's clock and its offset from the clock of the storage. A
 * new measurement of the offset never sets the time back: the time stands still until it is reached again.
 * @param offset how far the storage is ahead of `clock`, in milliseconds
 */
export function agreedClock(clock: Clock, offset: () => number): Clock {
  let latest = -Infinity;
  return {
    ticks: clock.ticks,
    now() {
      const time = Math.round(clock.now() + offset());
      const isCorrection = time < latest && latest - time <= MAX_HELD_MILLISECONDS;
      if (!isCorrection) latest = time;
      return latest;
    },
  };
}
