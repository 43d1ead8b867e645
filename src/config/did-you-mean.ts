/** Returns the Levenshtein distance between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= b.length; column += 1) {
      const substitutionCost = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1);
      next.push(Math.min(substitutionCost, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * Returns the candidate that a misspelled or incomplete word most resembles, or undefined if no candidate is similar.
 */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const completions = candidates.filter((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()));
  if (completions.length === 1 && word.length >= MIN_PREFIX) return completions[0];
  const maxEdits = Math.max(1, Math.floor(word.length / 4));
  return candidates
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= maxEdits)
    .toSorted((a, b) => a.edits - b.edits)[0]?.candidate;
}

/** A shorter prefix may match a candidate by coincidence. */
const MIN_PREFIX = 4;
