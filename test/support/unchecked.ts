/** Returns `value` with a type that every parameter accepts, as in code without a type checker. */
export function unchecked(value: unknown): never {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the wrong type is intended
  return value as never;
}
