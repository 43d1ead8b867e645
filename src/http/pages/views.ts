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
export function compileViews(assets: Assets, directory: string = VIEWS_DIRECTORY): (name: string) => View {
  const views = new Map<string, View>();
  const find = (name: string): View => {
    const found = views.get(name);
    if (found === undefined) throw new Error(`no view is named ${name}`);
    return found;
  };
  const partial = (name: string, locals: object): string => find(`partials/${name}`)(locals);
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ejs')) continue;
    const template = ejs.compile(readFileSync(join(directory, file), 'utf8'), {
      strict: true,
      _with: false,
      localsName: 'it',
    });
    const view: View = (locals) =>
      template({ instant, number: NUMBER_FORMAT.format, ...locals, partial, asset: assets.url }).trim();
    views.set(file.slice(0, -'.ejs'.length).replaceAll('\\', '/'), view);
  }
  return find;
}

/** Made once: `toLocaleString` makes one at each call, which takes longer than the rest of a page. */
const NUMBER_FORMAT = new Intl.NumberFormat('en');
const DATE_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function instant(at: EpochSeconds): { readonly iso: string; readonly text: string } {
  const date = new Date(at * 1000);
  return { iso: date.toISOString(), text: `${DATE_FORMAT.format(date)} UTC` };
}
