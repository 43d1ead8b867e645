/**
 * Returns the test files that a document means by `name`: a folder (`clients/`), or files whose name is `name` or
 * begins with it and a hyphen (`rfc/rfc6749-6`).
 * @param files below `test`
 */
export function testsNamed(files: readonly string[], name: string): readonly string[] {
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  if (name.endsWith('/')) return tests.filter((file) => file.startsWith(name));
  return tests.filter((file) => file.startsWith(`${name}.`) || file.startsWith(`${name}-`));
}
