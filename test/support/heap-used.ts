import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const RELEASE_ROUNDS = 5;
const TURNS_PER_ROUND = 100;

/** Collects garbage, and returns the bytes of heap that are still in use. */
export function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Collects garbage, and returns the bytes of heap and buffers that are still in use. */
export function memoryUsed(): number {
  collectGarbage();
  const { heapUsed: heap, arrayBuffers } = process.memoryUsage();
  return heap + arrayBuffers;
}

/**
 * Returns the smallest `memoryUsed` of several rounds. Closed connections and finished requests are released only in
 * later turns of the event loop, so a single measurement right after a load varies by megabytes.
 */
export async function memoryRetained(): Promise<number> {
  let smallest = Infinity;
  for (let round = 0; round < RELEASE_ROUNDS; round += 1) {
    for (let turn = 0; turn < TURNS_PER_ROUND; turn += 1) await nextTurn();
    smallest = Math.min(smallest, memoryUsed());
  }
  return smallest;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) collect();
}
