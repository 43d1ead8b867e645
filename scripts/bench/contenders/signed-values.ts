/** Signing this many values takes a few seconds. */
const MAX_VALUES = 60_000;
/** The number of concurrent signatures. */
const BATCH_SIZE = 256;

/** Signs up to `count` values before the measurement, so that signing does not slow down the load generator. */
export async function signValues(count: number, signOne: () => Promise<string>): Promise<readonly string[]> {
  const list: string[] = [];
  const length = Math.max(1, Math.min(count, MAX_VALUES));
  while (list.length < length)
    list.push(...(await Promise.all(Array.from({ length: Math.min(BATCH_SIZE, length - list.length) }, signOne))));
  return list;
}
