/** The maximum number of code units into which one code unit of composed text, such as U+1F82, decomposes. */
export const MAX_DECOMPOSED_LENGTH = 4;

/**
 * Returns the composed compatibility form (NFKC) of `text`, for a value of at most `maxLength` UTF-16 code units.
 *
 * Normalizing a run of combining marks takes quadratic time. Therefore, a text that is too long for its normal form to
 * fit is returned unchanged. Callers must check the length of the result.
 */
export function normalForm(text: string, maxLength: number): string {
  return text.length > maxLength * MAX_DECOMPOSED_LENGTH ? text : text.normalize('NFKC');
}
