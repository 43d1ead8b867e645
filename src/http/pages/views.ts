import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import type { EpochSeconds } from '../../domain/values.ts';
import type { Assets } from './assets.ts';
import { showDay, showTime } from './times.ts';

/** The same relative path from `src` and from `dist`. */
export const VIEWS_DIRECTORY = fileURLToPath(new URL('../../../views/', import.meta.url));

export type View = (locals: object) => string;

/**
 * Compiles all views. Besides its own locals, each view has `partial(name, locals)`, because EJS's `include` reads and
 * compiles the file at every call; `asset(name)`, the URL of a static file; `instant(seconds)`, a time for readers
 * ({@link showTime}); `day(seconds)`, a day for readers ({@link showDay}); and
 * `number(count)`, a number with separators.
 * @param now relative times refer to it
 * @throws SyntaxError a view does not compile
 */
export function compileViews(assets: Assets, now: () => EpochSeconds): (name: string) => View {
  const views = new Map<string, View>();
  const find = (name: string): View => {
    const found = views.get(name);
    if (found === undefined) throw new Error(`no view is named ${name}`);
    return found;
  };
  const partial = (name: string, locals: object): string => find(`partials/${name}`)(locals);
  const instant = (at: EpochSeconds) => showTime(at, now());
  const day = (at: EpochSeconds) => showDay(at, now());
  templates ??= readTemplates();
  for (const [name, template] of templates) {
    views.set(name, (locals) =>
      template({ instant, day, number: NUMBER_FORMAT.format, ...locals, partial, asset: assets.url }).trim(),
    );
  }
  return find;
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

/** Created once, because `toLocaleString` creates a formatter at each call, which is slower than rendering the page. */
const NUMBER_FORMAT = new Intl.NumberFormat('en');
