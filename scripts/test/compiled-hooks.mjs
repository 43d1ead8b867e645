import { readFileSync } from 'node:fs';

const PROJECT = new URL('../../', import.meta.url).href;
const COMPILED = new URL('.test-build/', PROJECT);

/** Loads the compiled code of a TypeScript file of the project instead of the file. */
export function load(address, context, next) {
  if (!address.startsWith(PROJECT) || !address.endsWith('.ts')) return next(address, context);
  const compiled = new URL(address.slice(PROJECT.length).replace(/ts$/, 'js'), COMPILED);
  return { format: 'module', shortCircuit: true, source: readFileSync(compiled, 'utf8') };
}
