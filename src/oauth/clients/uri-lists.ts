import { MAX_LENGTH } from '../../domain/lengths.ts';

const MAX_ENTRIES = 50;

/**
 * Every problem with the URIs or origins that a client registers, one in each line; undefined if there is none.
 * @param what the name of all entries, in the plural
 * @param problemOf a sentence about one entry; undefined if it is valid
 */
export function uriListProblem(
  entries: readonly string[],
  what: string,
  problemOf: (entry: string) => string | undefined,
): string | undefined {
  if (entries.length > MAX_ENTRIES) return `Register at most ${MAX_ENTRIES} ${what}.`;
  if (entries.join('').length > MAX_LENGTH.uris) {
    return `Use at most ${MAX_LENGTH.uris} characters for all ${what} together.`;
  }
  const problems = entries.map(problemOf).filter((problem) => problem !== undefined);
  return problems.length === 0 ? undefined : problems.join('\n');
}
