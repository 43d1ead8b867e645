const MAX_DEPTH = 32;

/**
 * Reports whether the value has more levels than any setting needs. The checks of a value are recursive, so thousands
 * of levels would exhaust the stack.
 */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  return level.length > 0;
}
