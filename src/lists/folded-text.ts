const ASCII = /^[\x20-\x7e]*$/;
const ACCENTS = /[\u0300-\u036f]/g;

/** Maps strings that differ only in case, accents or width to the same string. */
export function foldText(text: string): string {
  // Much cheaper, and most strings are ASCII (docs/performance.md, Lists).
  if (ASCII.test(text)) return text.toLowerCase();
  const letters = text.normalize('NFKD').replaceAll(ACCENTS, '');
  // Upper case unifies letters that have several lower-case forms (ß, ſ, ı), and lower case before it unifies ẞ and ß.
  // JavaScript writes a final sigma as ς, but a search term may end where a word does not.
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** Reports whether one of the strings contains the search term. An empty term matches even an empty list. */
export function containsText(strings: readonly string[], term: string): boolean {
  const foldedTerm = foldText(term);
  return foldedTerm === '' || strings.some((text) => foldText(text).includes(foldedTerm));
}

/** Numbers with more digits than this are ordered by their first digits alone. */
const MAX_DIGITS = 40;

/** Sort keys are part of URLs. Strings that differ only after this many characters have equal keys. */
const MAX_SORT_KEY = 256;

/**
 * Returns a sort key. Comparing the keys by code unit puts strings in the order that readers expect: case and accents
 * are ignored, and numbers are ordered by value. This is cheaper than a collator, whose comparisons would take most of
 * the time for a long list.
 */
export function toSortKey(text: string): string {
  const folded = foldText(text);
  return (/\d/.test(folded) ? prefixDigitCounts(folded) : folded).slice(0, MAX_SORT_KEY);
}

function prefixDigitCounts(folded: string): string {
  return folded.replaceAll(/\d+/g, (digits) => {
    const significantDigits = digits.replace(/^0+(?=\d)/, '');
    // A longer number is a higher one, so its length comes first.
    return String.fromCharCode('0'.charCodeAt(0) + Math.min(significantDigits.length, MAX_DIGITS)) + significantDigits;
  });
}
