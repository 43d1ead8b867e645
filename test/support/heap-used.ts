import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

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

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) collect();
}
