import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import type { EpochSeconds } from '../../domain/values.ts';
import type { Assets } from './assets.ts';

/** The views beside `src` and `dist` alike. */
export const VIEWS_DIRECTORY = fileURLToPath(new URL('../../../views/', import.meta.url));

export type View = (locals: object) => string;

/**
 * Compiles every view. Beside its own locals each has:
 * `partial(name, locals)`, because EJS's own `include` looks at the file system and compiles anew at every call;
 * `asset(name)`, the address of a file of static/; `instant(seconds)`, a time to be read by people and by `<time>`; and `number(count)`, for people.
 * @throws SyntaxError a view does not compile
 */
export function compileViews(assets: Assets): (name: string) => View {
  const views = new Map<string, View>();
  const find = (name: string): View => {
    const found = views.get(name);
    if (found === undefined) throw new Error(`no view is named ${name}`);
    return found;
  };
  const partial = (name: string, locals: object): string => find(`partials/${name}`)(locals);
  templates ??= readTemplates();
  for (const [name, template] of templates) {
    views.set(name, (locals) =>
      template({ instant, number: NUMBER_FORMAT.format, ...locals, partial, asset: assets.url }).trim(),
    );
  }
  return find;
}

/** Compiled once for all servers of a process: compiling takes longer than the rest of a server's start. */
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

/** Made once: `toLocaleString` makes one at each call, which takes longer than the rest of a page. */
const NUMBER_FORMAT = new Intl.NumberFormat('en');
const DATE_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function instant(at: EpochSeconds): { readonly iso: string; readonly text: string } {
  const date = new Date(at * 1000);
  return { iso: date.toISOString(), text: `${DATE_FORMAT.format(date)} UTC` };
}
