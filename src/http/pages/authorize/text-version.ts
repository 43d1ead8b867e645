import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUES, MESSAGE_KEYS, type MessageKey } from '../../../language/catalogue.ts';
import type { Language } from '../../../language/languages.ts';
import { VIEWS_DIRECTORY } from '../views.ts';

/** The pages on which users consent. */
export type ConsentPage = 'authorize' | 'device-consent';

const versions = new Map<string, string>();

/**
 * Identifies the text of a consent page in one language: the SHA-256 of its template and of the partials in it, in the
 * order of their names, and of the entries of the catalogue whose keys they contain, in the order of these keys. So a
 * changed text always has a new version, without a version number to maintain.
 */
export function textVersion(page: ConsentPage, language: Language): string {
  const cached = versions.get(`${page} ${language}`);
  if (cached !== undefined) return cached;
  const sources = new Map<string, string>();
  addTemplate(page, sources);
  const hash = createHash('sha256');
  for (const [, source] of [...sources].toSorted(([one], [other]) => (one < other ? -1 : 1))) hash.update(source);
  for (const key of keysIn([...sources.values()].join('\n'))) hash.update(`${key}\n${CATALOGUES[language][key]}\n`);
  const version = hash.digest('hex');
  versions.set(`${page} ${language}`, version);
  return version;
}

/** Returns the keys of the catalogue that the templates contain, sorted. */
function keysIn(templates: string): readonly MessageKey[] {
  return MESSAGE_KEYS.filter((key) => templates.includes(`'${key}'`)).toSorted();
}

/** Adds the template and, recursively, its partials. */
function addTemplate(name: string, sources: Map<string, string>): void {
  if (sources.has(name)) return;
  const source = readFileSync(join(VIEWS_DIRECTORY, `${name}.ejs`), 'utf8');
  sources.set(name, source);
  for (const [, partial = ''] of source.matchAll(/\bpartial\('([\w-]+)'/g)) addTemplate(`partials/${partial}`, sources);
}
