import { setTimeout as after } from 'node:timers/promises';
import type { Ticks } from '../../platform/ports.ts';

/** More than people cause. */
const IMMEDIATE_PER_SECOND = 50;
const DELAY_MS = 2_000;

/**
 * What it gives back resolves when a refusal may be answered: at once for the first ones in a second, two seconds later
 * for others. A flood repeats what was refused as soon as that is answered. Thousands of cheap refusals a second leave
 * no time for hashes and for everyone else's requests (`scripts/login-drill.ts`); a refusal that waits takes none.
 */
export function createRefusalThrottle(
  ticks: Ticks,
  wait: (milliseconds: number) => Promise<unknown> = after,
): () => Promise<void> {
  let second = 0;
  let answered = 0;
  return async () => {
    const now = Math.floor(ticks() / 1000);
    if (now !== second) [second, answered] = [now, 0];
    answered += 1;
    if (answered > IMMEDIATE_PER_SECOND) await wait(DELAY_MS);
  };
}
