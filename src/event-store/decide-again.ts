import { DecisionOutdated } from './event-log.ts';
import { createOnce, type Once } from './once.ts';

/** Each lost race means that another writer changed what was read, which does not happen this often by accident. */
const MAX_ATTEMPTS = 10;

/**
 * Repeats `decide` from its first read whenever what it read changed before its events were appended.
 * @param decide gets the same `once` each time, for effects that must not be repeated
 * @throws DecisionOutdated if the last attempt lost, too
 */
export async function decideAgain<Decided>(decide: (once: Once) => Promise<Decided>): Promise<Decided> {
  const once = createOnce();
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await decide(once);
    } catch (error) {
      if (!(error instanceof DecisionOutdated) || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}
