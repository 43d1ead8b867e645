import { unmarkedTexts } from './marked-texts.ts';

const SHOWN_ATTRIBUTES = /\s(?:title|aria-label|alt|data-[\w-]+)="([^"]*)"/g;

/** The texts of a page that do not come from the catalogue. */
export function untranslatedIn(html: string): readonly string[] {
  const body = html.slice(html.indexOf('<title')).replaceAll(/<(script|style|code|bdi|time|pre|textarea)\b[\s\S]*?<\/\1>/g, '');
  const labels = [...body.matchAll(SHOWN_ATTRIBUTES)].map(([, text = '']) => text);
  const shown = body.replaceAll(/<option value="([^"]*)"[^>]*>\s*\1\s*<\/option>/g, '');
  return [...new Set(unmarkedTexts([...labels, shown.replaceAll(/<[^>]*>/g, '\n')].join('\n')))];
}
