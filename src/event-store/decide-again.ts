import { DecisionOutdated } from './event-log.ts';
import { createOnce, type Once } from './once.ts';

/** Each lost race means that somebody else changed what was read; nobody does so this often by accident. */
const MAX_ATTEMPTS = 10;

/**
 * Runs `decide` again, from its first look on, when what it was based on has changed before its events were appended.
 * @param decide is given the same `once` each time, for what must not be done again
 * @throws DecisionOutdated it changed each time
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
