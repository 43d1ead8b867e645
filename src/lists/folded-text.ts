const ASCII = /^[\x20-\x7e]*$/;
const ACCENTS = /[\u0300-\u036f]/g;

/** Maps strings that differ only in case, accents or character width to the same string. */
export function foldText(text: string): string {
  // Most strings are ASCII, and need no normalization.
  if (ASCII.test(text)) return text.toLowerCase();
  const letters = text.normalize('NFKD').replaceAll(ACCENTS, '');
  // Conversion to upper case unifies ß with ss, and ı with i. Lowercasing before that unifies ẞ with ß.
  // JavaScript lowercases a sigma at the end of a word to ς, but a search term may end in the middle of a word.
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** Reports whether one of the strings contains the search term. An empty term matches even an empty list. */
export function containsText(strings: readonly string[], term: string): boolean {
  const foldedTerm = foldText(term);
  return foldedTerm === '' || strings.some((text) => foldText(text).includes(foldedTerm));
}

/** Two numbers with at least this many digits are compared digit by digit from the left, whatever their lengths. */
const MAX_DIGITS = 40;

/** Sort keys are part of URLs. Strings that differ only after this many characters have equal keys. */
const MAX_SORT_KEY_LENGTH = 256;

/**
 * Returns a sort key. Comparing the keys by code unit puts strings in the order that readers expect: case and accents
 * are ignored, and numbers are ordered by value. This is cheaper than a collator, whose comparisons would take most of
 * the time for a long list.
 */
export function toSortKey(text: string): string {
  const foldedText = foldText(text);
  return (/\d/.test(foldedText) ? prefixDigitCounts(foldedText) : foldedText).slice(0, MAX_SORT_KEY_LENGTH);
}

function prefixDigitCounts(foldedText: string): string {
  return foldedText.replaceAll(/\d+/g, (digits) => {
    const significantDigits = digits.replace(/^0+(?=\d)/, '');
    // A number with more digits is higher, so the number of digits comes first.
    return String.fromCharCode('0'.charCodeAt(0) + Math.min(significantDigits.length, MAX_DIGITS)) + significantDigits;
  });
}
