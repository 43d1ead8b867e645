/** Whether costly tests run in full, as in continuous integration. */
export const IS_THOROUGH = process.env['THOROUGH'] === 'true';

/** The divisor of repetitions in a run without `THOROUGH=true`. */
const REDUCTION = 4;

/**
 * Returns how many times a costly test repeats something: `full` times with `THOROUGH=true`, otherwise a quarter of
 * that, rounded up.
 */
export function repetitions(full: number): number {
  return IS_THOROUGH ? full : Math.ceil(full / REDUCTION);
}
