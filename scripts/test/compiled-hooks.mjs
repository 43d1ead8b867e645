import { readFileSync } from 'node:fs';

const PROJECT = new URL('../../', import.meta.url).href;
const COMPILED = new URL('.test-build/', PROJECT);

/** Loads the compiled code of a TypeScript file of the project instead of the file. */
export function load(url, context, next) {
  if (!url.startsWith(PROJECT) || !url.endsWith('.ts')) return next(url, context);
  const compiled = new URL(url.slice(PROJECT.length).replace(/ts$/, 'js'), COMPILED);
  return { format: 'module', shortCircuit: true, source: readFileSync(compiled, 'utf8') };
}
