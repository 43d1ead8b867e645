import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORTS = /^(?:import|export)\s(?!type\b)[^'";]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'/gm;

/**
 * Returns the first import that matches one of `modules`, in `file` or in the test code and scripts that it imports.
 * Type imports do not count.
 */
export function findImport(file: string, modules: readonly RegExp[]): string | undefined {
  return [file, ...importedTestCode(file)]
    .flatMap(listImports)
    .find((path) => modules.some((module) => module.test(path)));
}

/** Returns the test code and scripts that `file` imports, directly or through other such files. */
export function importedTestCode(file: string): ReadonlySet<string> {
  const files = new Set<string>();
  const pending = [file];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const path of listImports(next).filter(isTestCode))
      if (!files.has(path)) {
        files.add(path);
        pending.push(path);
      }
  return files;
}

function isTestCode(path: string): boolean {
  return /^(?:test|scripts)\/.*\.ts$/.test(path) && existsSync(path);
}

function listImports(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORTS)].map(([, specifier, sideEffect]) => {
    const path = specifier ?? sideEffect ?? '';
    return path.startsWith('.') ? join(dirname(file), path) : path;
  });
}
