import { DecisionOutdated } from './event-log.ts';

/** Each lost race means that somebody else changed what was read; nobody does so this often by accident. */
const MAX_ATTEMPTS = 10;

/**
 * Runs `decide` again, from its first look on, when what it was based on has changed before its events were appended.
 * @throws DecisionOutdated it changed each time
 */
export async function decideAgain<Decided>(decide: () => Promise<Decided>): Promise<Decided> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof DecisionOutdated) || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}
