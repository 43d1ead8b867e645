/** Limits the number of tasks that run concurrently. */
export interface Semaphore {
  /**
   * Runs the task when its turn comes, and resolves with its result.
   * @throws OverloadedError if too many tasks are waiting; the task is not run
   */
  run<T>(task: () => Promise<T>): Promise<T>;
}

/** Thrown if too many tasks are waiting, so that a task is refused immediately rather than after a long wait. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

export function createSemaphore(maxConcurrent: number, { maxPending }: { readonly maxPending: number }): Semaphore {
  let permits = maxConcurrent;
  const waiters: (() => void)[] = [];

  async function acquire(): Promise<void> {
    if (permits > 0) permits -= 1;
    else if (waiters.length >= maxPending) throw new OverloadedError(`${maxPending} tasks are already waiting`);
    else await new Promise<void>((resolve) => waiters.push(resolve)); // `release` passes its permit on
  }

  function release(): void {
    const next = waiters.shift();
    if (next === undefined) permits += 1;
    else next();
  }

  return {
    async run(task) {
      await acquire();
      try {
        return await task();
      } finally {
        release();
      }
    },
  };
}
