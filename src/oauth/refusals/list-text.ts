import { joinTexts, message, type Text } from '../../language/message.ts';

const NONE = message('refusal.none');

/** Joins the names with commas, or says that there are none. */
export function formatList(names: readonly Text[]): Text {
  if (names.every((name) => typeof name === 'string')) return names.length === 0 ? NONE : names.join(', ');
  return joinTexts(names, 'problem.commas') ?? NONE;
}
