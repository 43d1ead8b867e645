/** More levels of lists and objects than any setting needs. */
export const MAX_DEPTH = 32;

/**
 * Reports whether the value has more than `MAX_DEPTH` levels of lists and objects. Checks on a value are recursive,
 * so thousands of levels would exhaust the stack.
 */
export function isTooDeep(value: unknown): boolean {
  let level = selectObjects([value]);
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((object) => selectObjects(Object.values(object)));
  return level.length > 0;
}

function selectObjects(values: readonly unknown[]): readonly object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}
