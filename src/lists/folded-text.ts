const ASCII = /^[\x20-\x7e]*$/;
const ACCENTS = /[\u0300-\u036f]/g;

/** Maps strings that differ only in case, accents or width to the same string. */
export function foldText(text: string): string {
  // Most strings are ASCII, for which this is much cheaper (docs/performance.md, Lists).
  if (ASCII.test(text)) return text.toLowerCase();
  const letters = text.normalize('NFKD').replaceAll(ACCENTS, '');
  // Upper case unifies letters that have several lower-case forms (ß, ſ, ı), and lower case before it unifies ẞ and ß.
  // JavaScript writes a final sigma as ς, but a search term may end where a word does not.
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** Reports whether one of the strings contains the search term. An empty term matches even an empty list. */
export function containsText(strings: readonly string[], term: string): boolean {
  const folded = foldText(term);
  return folded === '' || strings.some((text) => foldText(text).includes(folded));
}

/** Numbers with more digits than this are ordered by their first digits alone. */
const MAX_DIGITS = 40;

/** Sort keys are part of addresses. Strings that differ only after this many characters have equal keys. */
const MAX_SORT_KEY = 256;

/**
 * Returns a string whose order by code units is the order of `text` for readers: case and accents are ignored, and
 * numbers are ordered by value. Cheaper than a collator, whose comparisons would take most of the time for a long list.
 */
export function toSortKey(text: string): string {
  const folded = foldText(text);
  return (/\d/.test(folded) ? prefixDigitCounts(folded) : folded).slice(0, MAX_SORT_KEY);
}

function prefixDigitCounts(folded: string): string {
  return folded.replaceAll(/\d+/g, (digits) => {
    const significant = digits.replace(/^0+(?=\d)/, '');
    // A longer number is a higher one, so its length comes first.
    return String.fromCharCode('0'.charCodeAt(0) + Math.min(significant.length, MAX_DIGITS)) + significant;
  });
}
