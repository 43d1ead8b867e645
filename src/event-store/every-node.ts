import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from './event-log.ts';
import type { SharedLog } from './shared-log.ts';

/**
 * Resolves when every node has applied the event at the position, or has been out of touch with the log for so long
 * that it refuses requests.
 */
export type EveryNode = (position: Position) => Promise<void>;

/** Nodes report their positions a few times a second. */
const POLL_MILLISECONDS = 50;

/** Clocks of different machines run at slightly different rates. */
const MARGIN_SECONDS = 1;

/**
 * Creates a function that waits for every node. If the storage is not responding, it waits for a fixed time instead.
 * @param maxStalenessSeconds how long a node may be out of touch with the log before it refuses requests; equal on all
 *   nodes
 */
export function createEveryNode(shared: SharedLog, ticks: () => number, maxStalenessSeconds: number): EveryNode {
  const silentSeconds = maxStalenessSeconds + MARGIN_SECONDS;
  return async (position) => {
    const deadline = ticks() + silentSeconds * 1000;
    while (ticks() < deadline) {
      // If the storage is not responding, only the elapsed time guarantees that the other nodes refuse requests.
      if (await shared.isAppliedByAll(position, silentSeconds).catch(() => false)) return;
      await delay(POLL_MILLISECONDS);
    }
  };
}
