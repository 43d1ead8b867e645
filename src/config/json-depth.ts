/** More levels of lists and objects than any setting needs. */
export const MAX_DEPTH = 32;

/**
 * Reports whether the value has more than `MAX_DEPTH` levels of lists and objects. The checks of a value are recursive,
 * so thousands of levels would exhaust the stack.
 */
export function isTooDeep(value: unknown): boolean {
  let level = objectsIn([value]);
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((each) => objectsIn(Object.values(each)));
  return level.length > 0;
}

function objectsIn(values: readonly unknown[]): readonly object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}
