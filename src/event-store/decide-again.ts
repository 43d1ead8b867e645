import { DecisionOutdated } from './event-log.ts';
import { createOnce, type Once } from './once.ts';

/** Each attempt reads the changed data again, so only a defect can require this many attempts. */
const MAX_ATTEMPTS = 10;

/**
 * Returns the result of `decide`. Calls `decide` again, including its reads, if data that the decision relied on
 * changes before the events are appended.
 * @param decide receives the same `once` on each attempt, for effects that must not be repeated
 * @throws DecisionOutdated if the last attempt also failed
 */
export async function decideAgain<Result>(decide: (once: Once) => Promise<Result>): Promise<Result> {
  const once = createOnce();
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await decide(once);
    } catch (error) {
      if (!(error instanceof DecisionOutdated) || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}
