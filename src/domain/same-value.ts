/** Reports whether two JSON values are equal. Ignores the order of members, and treats undefined members as absent. */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSameValue(left[name], right[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
