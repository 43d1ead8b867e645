import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import type { EpochSeconds } from '../../domain/values.ts';
import { LANGUAGES, type Language } from '../../language/languages.ts';
import type { Translators } from '../../language/translators.ts';
import type { Assets } from './assets.ts';
import type { ShownBrand } from './brand.ts';
import { createTimes } from './times.ts';

/** The same relative path from `src` and from `dist`. */
export const VIEWS_DIRECTORY = fileURLToPath(new URL('../../../views/', import.meta.url));

export type View = (locals: object, language: Language) => string;

/**
 * Compiles all views. Besides its own locals, each view has `partial(name, locals)`, because EJS's `include` reads and
 * compiles the file at every call; `asset(name)`, the URL of a static file; `brand()`, the brand at present; and in the
 * reader's language: `lang`, its tag; `t(key, values)`, an entry of the catalogue; `tHtml(key, values, tags)`, the same
 * as HTML; `translate(text)`, a message of the locals; `number(count)`; `instant(seconds)`, a time; and `day(seconds)`,
 * a day.
 * @param now relative times refer to it
 * @throws SyntaxError a view does not compile
 */
export function compileViews(
  { assets, brand }: { readonly assets: Assets; readonly brand: () => ShownBrand },
  translators: Translators,
  now: () => EpochSeconds,
): (name: string) => View {
  const compiled = (templates ??= readTemplates());
  const byLanguage = new Map(LANGUAGES.map((language) => [language, bindViews(compiled, language)]));

  function bindViews(
    all: ReadonlyMap<string, ejs.TemplateFunction>,
    language: Language,
  ): ReadonlyMap<string, (locals: object) => string> {
    const { t, html, text, number } = translators[language];
    const times = createTimes(translators[language]);
    const shared = {
      lang: language,
      t,
      tHtml: html,
      translate: text,
      number,
      instant: (at: EpochSeconds) => times.instant(at, now()),
      day: (at: EpochSeconds) => times.day(at, now()),
      asset: assets.url,
      brand,
    };
    const views = new Map<string, (locals: object) => string>();
    const partial = (name: string, locals: object): string => find(views, `partials/${name}`)(locals);
    for (const [name, template] of all) views.set(name, (locals) => template({ ...shared, ...locals, partial }).trim());
    return views;
  }

  return (name) => (locals, language) => find(byLanguage.get(language), name)(locals);
}

function find<Found>(views: ReadonlyMap<string, Found> | undefined, name: string): Found {
  const found = views?.get(name);
  if (found === undefined) throw new Error(`no view is named ${name}`);
  return found;
}

/** Compiled once per process, because compiling takes longer than the rest of a server's start. */
let templates: ReadonlyMap<string, ejs.TemplateFunction> | undefined;

function readTemplates(): ReadonlyMap<string, ejs.TemplateFunction> {
  const files = readdirSync(VIEWS_DIRECTORY, { recursive: true, encoding: 'utf8' });
  const options = { strict: true, _with: false, localsName: 'it' };
  return new Map(
    files
      .filter((file) => file.endsWith('.ejs'))
      .map((file) => [
        file.slice(0, -'.ejs'.length).replaceAll('\\', '/'),
        ejs.compile(readFileSync(join(VIEWS_DIRECTORY, file), 'utf8'), options),
      ]),
  );
}
