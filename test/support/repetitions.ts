/** Whether costly tests run in full, as they do in continuous integration. */
export const IS_THOROUGH = process.env['THOROUGH'] === 'true';

/** The number that repetitions are divided by without `THOROUGH=true`. */
const REDUCTION = 4;

/**
 * Returns how many times a costly test repeats something: `full` times with `THOROUGH=true`, otherwise a quarter of
 * that, rounded up.
 */
export function repetitions(full: number): number {
  return IS_THOROUGH ? full : Math.ceil(full / REDUCTION);
}
