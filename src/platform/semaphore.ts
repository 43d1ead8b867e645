/** Limits the number of tasks that run concurrently. */
export interface Semaphore {
  /**
   * Runs the task when its turn comes, and resolves with its result.
   * @throws Overloaded if too many tasks are waiting; the task is not run
   */
  run<T>(task: () => Promise<T>): Promise<T>;
}

/** Thrown when too many tasks are waiting. A task is refused immediately, rather than after a long wait. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export function createSemaphore(maxConcurrent: number, { maxWaiting }: { readonly maxWaiting: number }): Semaphore {
  let free = maxConcurrent;
  const waiting: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (free > 0) free -= 1;
    else if (waiting.length >= maxWaiting) throw new Overloaded(`${maxWaiting} tasks are waiting already`);
    else await new Promise<void>((resolve) => waiting.push(resolve)); // `leave` passes its permit on
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async run(task) {
      await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}
