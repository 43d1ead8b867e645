/**
 * Returns the test files that a document means by `name`: those in a folder (`clients/`), or those whose path without
 * the extension is `name` or starts with `name` and a hyphen (`rfc/rfc6749-6`).
 * @param files paths below `test`
 */
export function testsNamed(files: readonly string[], name: string): readonly string[] {
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  if (name.endsWith('/')) return tests.filter((file) => file.startsWith(name));
  return tests.filter((file) => file.startsWith(`${name}.`) || file.startsWith(`${name}-`));
}
