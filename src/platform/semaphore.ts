/** A queue that lets a fixed number of tasks run at once. */
export interface Semaphore {
  /** @throws Overloaded too many wait already; the task was not and will not be run */
  run<T>(task: () => Promise<T>): Promise<T>;
}

/** More is asked than can be done in time: to be said at once, rather than promised and kept waiting. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export function createSemaphore(count: number, { mayWait }: { readonly mayWait: number }): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (free > 0) free -= 1;
    else if (waiting.length >= mayWait) throw new Overloaded(`${mayWait} tasks wait already`);
    else await new Promise<void>((resolve) => waiting.push(resolve)); // the slot is handed over as it is
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
