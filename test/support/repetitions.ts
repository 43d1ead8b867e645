/** Whether costly tests run in full, as in continuous integration. */
export const IS_THOROUGH = process.env['THOROUGH'] === 'true';

/** The factor by which a usual run shortens costly tests. */
const SHORTENING = 4;

/** Returns how often a costly test repeats something: `thorough` times with `THOROUGH=true`, else a quarter of that. */
export function repetitions(thorough: number): number {
  return IS_THOROUGH ? thorough : Math.ceil(thorough / SHORTENING);
}
