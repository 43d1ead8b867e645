import { message } from '../../../language/message.ts';
import { OverloadedError, type Semaphore } from '../../../platform/semaphore.ts';
import { PageError } from '../../pipeline/page-error.ts';

/**
 * Runs `task` when the semaphore allows it.
 * @throws PageError 503 if too many tasks are waiting
 */
export async function runQueued<T>(semaphore: Semaphore, task: () => Promise<T>): Promise<T> {
  try {
    return await semaphore.run(task);
  } catch (error) {
    if (error instanceof OverloadedError)
      throw new PageError(503, message('log.busy'), message('log.busy-text'), message('log.busy-advice'));
    throw error;
  }
}
