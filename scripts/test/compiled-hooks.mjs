import { readFileSync } from 'node:fs';

const PROJECT = new URL('../../', import.meta.url).href;
const COMPILED = new URL('.test-build/', PROJECT);

/** Loads the compiled code of the project's TypeScript files in place of the sources. */
export function load(url, context, next) {
  if (!url.startsWith(PROJECT) || !url.endsWith('.ts')) return next(url, context);
  const compiledFile = new URL(url.slice(PROJECT.length).replace(/ts$/, 'js'), COMPILED);
  return { format: 'module', shortCircuit: true, source: readFileSync(compiledFile, 'utf8') };
}
