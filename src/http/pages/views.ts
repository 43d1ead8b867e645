import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import type { EpochSeconds } from '../../domain/values.ts';
import { LANGUAGES, type Language } from '../../language/languages.ts';
import type { Translators } from '../../language/translators.ts';
import type { Text } from '../../language/message.ts';
import type { Assets } from './assets.ts';
import type { PageBrand } from './brand.ts';
import { breakableParts } from './line-breaks.ts';
import { scriptTexts, type ScriptGroup } from './script-texts.ts';
import { createTimes, localFieldTime, type Moment } from './times.ts';

/** The relative path is the same from `src` and from `dist`. */
export const VIEWS_DIRECTORY = fileURLToPath(new URL('../../../views/', import.meta.url));

/**
 * Renders a view as HTML.
 * @param timeZone the reader's time zone; UTC by default
 */
export type View = (locals: object, language: Language, timeZone?: string) => string;

/**
 * Compiles all views. In addition to its own locals, each view has:
 * - `partial(name, locals)`: the HTML of a partial, because EJS's `include` reads and compiles the file at every call
 * - `asset(name)`: the URL of a static file
 * - `brand()`: the current brand
 * - `lang`: the tag of the reader's language
 * - `t(key, values)`, `tHtml(key, values, tags)`: a catalog entry in that language, as text or as HTML
 * - `translate(text)`: a message from the locals
 * - `breakable(text, breaks)`: such a message as HTML, in which long words can break if `breaks` is true
 * - `number(count)`: a formatted number
 * - `instant(seconds)`: a time in several formats
 * - `moment(moment)`: an exact time in the reader's time zone, and the attributes of its tag, with the time in UTC
 * - `timeZone`, `zoneNow()`: the name of the reader's time zone, without and with the current offset
 * - `localTime(at)`: the value of a form field for a time in ISO 8601
 * - `day(seconds)`: a day in UTC, relative to today
 * - `hour(seconds)`, `date(seconds)`: an hour or a day on a chart's axis
 * - `scriptTexts(group)`: the messages for a group of scripts, as JSON
 * @param now returns the time that relative times refer to
 * @returns a function that returns the view with a given name
 * @throws SyntaxError if a view does not compile
 */
export function compileViews(
  { assets, brand }: { readonly assets: Assets; readonly brand: () => PageBrand },
  translators: Translators,
  now: () => EpochSeconds,
): (name: string) => View {
  const compiledTemplates = (templates ??= readTemplates());
  const timesByLanguage = new Map(LANGUAGES.map((language) => [language, createTimes(translators[language])]));

  function sharedLocals(language: Language, timeZone: string | undefined): object {
    const { t, html, text, number } = translators[language];
    const times = find(timesByLanguage, language);
    return {
      lang: language,
      t,
      tHtml: html,
      translate: text,
      breakable: (source: Text, breaks: boolean) =>
        (breaks ? breakableParts(text(source)) : [text(source)]).map((part) => ejs.escapeXML(part)).join('<wbr>'),
      number,
      instant: (at: EpochSeconds) => times.instant(at, now(), timeZone),
      moment: (at: Moment) => ({
        text: times.instant(Math.floor(Date.parse(at.iso) / 1000) as EpochSeconds, now(), timeZone).exact,
        // `data-utc` keeps static/times.js from replacing the title.
        tag: { datetime: at.iso, title: at.text, 'data-utc': '' },
      }),
      timeZone: timeZone ?? 'UTC',
      zoneNow: () => times.zone(now(), timeZone),
      localTime: (at: string) => localFieldTime(at, timeZone),
      day: (at: EpochSeconds) => times.day(at, now()),
      hour: (at: EpochSeconds) => times.hour(at, timeZone),
      date: times.date,
      scriptTexts: (group: ScriptGroup) => scriptTexts(group, translators[language]),
      asset: assets.url,
      brand,
    };
  }

  return (name) => (locals, language, timeZone) => {
    const shared = sharedLocals(language, timeZone);
    const render = (view: string, ownLocals: object): string =>
      find(compiledTemplates, view)({ ...shared, ...ownLocals, partial }).trim();
    const partial = (view: string, ownLocals: object): string => render(`partials/${view}`, ownLocals);
    return render(name, locals);
  };
}

function find<Name extends string, Entry>(entries: ReadonlyMap<Name, Entry>, name: Name): Entry {
  const entry = entries.get(name);
  if (entry === undefined) throw new Error(`no entry is named ${name}`);
  return entry;
}

/** Compiled once per process, because compiling takes longer than everything else at startup. */
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
