/** A composed character decomposes into at most four code units, such as U+1F82. */
export const DECOMPOSED_LENGTH = 4;

/**
 * Returns the composed compatibility form (NFKC) of `entered`, for a value of at most `maxLength` UTF-16 code units.
 *
 * Normalizing a run of combining marks takes quadratic time. Text that is too long for its normal form to fit is
 * returned unchanged. Callers check the length of the result and refuse it.
 */
export function normalForm(entered: string, maxLength: number): string {
  return entered.length > maxLength * DECOMPOSED_LENGTH ? entered : entered.normalize('NFKC');
}
