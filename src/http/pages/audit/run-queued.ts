import { Overloaded, type Semaphore } from '../../../platform/semaphore.ts';
import { PageError } from '../../pipeline/page-error.ts';

/** Runs `task` when it is its turn. @throws PageError 503 too many wait already */
export async function runQueued<T>(slots: Semaphore, task: () => Promise<T>): Promise<T> {
  try {
    return await slots.run(task);
  } catch (error) {
    if (error instanceof Overloaded)
      throw new PageError(
        503,
        'Others are searching',
        'The log is read by as many as the server can serve beside its other work.',
        'Try again in a few seconds.',
      );
    throw error;
  }
}
