import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGS, MESSAGE_KEYS, type MessageKey } from '../../../language/catalog.ts';
import type { Language } from '../../../language/languages.ts';
import { VIEWS_DIRECTORY } from '../views.ts';

/** The pages where users consent. */
export type ConsentPage = 'authorize' | 'device-consent';

const versions = new Map<string, string>();

/**
 * Returns the version of a consent page's text in one language. It is the SHA-256 of the page's template and partials,
 * sorted by name, and of the catalog entries whose keys they contain, sorted by key. A changed text therefore always
 * gets a new version, without a version number that developers must maintain.
 */
export function textVersion(page: ConsentPage, language: Language): string {
  const cachedVersion = versions.get(`${page} ${language}`);
  if (cachedVersion !== undefined) return cachedVersion;
  const sources = new Map<string, string>();
  addTemplate(page, sources);
  const hash = createHash('sha256');
  for (const [, source] of [...sources].toSorted(([left], [right]) => (left < right ? -1 : 1))) hash.update(source);
  for (const key of findKeys([...sources.values()].join('\n'))) hash.update(`${key}\n${CATALOGS[language][key]}\n`);
  const version = hash.digest('hex');
  versions.set(`${page} ${language}`, version);
  return version;
}

/** Returns the catalog keys that the templates contain, sorted. */
function findKeys(templates: string): readonly MessageKey[] {
  return MESSAGE_KEYS.filter((key) => templates.includes(`'${key}'`)).toSorted();
}

/** Adds the template and, recursively, its partials. */
function addTemplate(name: string, sources: Map<string, string>): void {
  if (sources.has(name)) return;
  const source = readFileSync(join(VIEWS_DIRECTORY, `${name}.ejs`), 'utf8');
  sources.set(name, source);
  for (const [, partial = ''] of source.matchAll(/\bpartial\('([\w-]+)'/g)) addTemplate(`partials/${partial}`, sources);
}
