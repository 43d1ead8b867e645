import { setTimeout as delay } from 'node:timers/promises';
import type { Ticks } from '../../platform/ports.ts';

/** More refusals than users cause in normal operation. */
const IMMEDIATE_PER_SECOND = 50;
const DELAY_MS = 2_000;

/**
 * Returns a function that resolves when a refusal may be sent: immediately for the first refusals in each second, and
 * after two seconds for all others. The callers in a flood repeat a request as soon as it is refused. Thousands of
 * cheap refusals per second would leave no time for password hashes and other requests (`scripts/login-drill.ts`),
 * whereas a delayed refusal costs almost nothing.
 */
export function createRefusalThrottle(
  ticks: Ticks,
  wait: (milliseconds: number) => Promise<unknown> = delay,
): () => Promise<void> {
  let second = 0;
  let refusalCount = 0;
  return async () => {
    const now = Math.floor(ticks() / 1000);
    if (now !== second) [second, refusalCount] = [now, 0];
    refusalCount += 1;
    if (refusalCount > IMMEDIATE_PER_SECOND) await wait(DELAY_MS);
  };
}
