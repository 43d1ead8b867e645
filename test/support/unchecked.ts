/** `value` as a caller passes it whom no compiler checked: it fits any parameter. */
export function unchecked(value: unknown): never {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- to be wrong is its purpose
  return value as never;
}
