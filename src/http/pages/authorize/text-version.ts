import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VIEWS_DIRECTORY } from '../views.ts';

/** The pages on which users consent. */
export type ConsentPage = 'authorize' | 'device-consent';

const versions = new Map<ConsentPage, string>();

/**
 * Identifies the text of a consent page: the SHA-256 of its template and of the partials in it, in the order of their
 * names. Nobody has to remember to count versions, and a text that differs cannot have the same version.
 */
export function textVersion(page: ConsentPage): string {
  const known = versions.get(page);
  if (known !== undefined) return known;
  const sources = new Map<string, string>();
  read(page, sources);
  const hash = createHash('sha256');
  for (const [, source] of [...sources].toSorted(([one], [other]) => (one < other ? -1 : 1))) hash.update(source);
  const version = hash.digest('hex');
  versions.set(page, version);
  return version;
}

/** Adds the template and, recursively, its partials. */
function read(name: string, sources: Map<string, string>): void {
  if (sources.has(name)) return;
  const source = readFileSync(join(VIEWS_DIRECTORY, `${name}.ejs`), 'utf8');
  sources.set(name, source);
  for (const [, partial = ''] of source.matchAll(/\bpartial\('([\w-]+)'/g)) read(`partials/${partial}`, sources);
}
