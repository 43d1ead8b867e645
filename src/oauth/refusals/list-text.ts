import { joinTexts, message, type Text } from '../../language/message.ts';

const NONE = message('refusal.none');

/** Returns the names joined with commas, or "none" if there are no names. */
export function formatList(names: readonly Text[]): Text {
  if (names.every((name) => typeof name === 'string')) return names.length === 0 ? NONE : names.join(', ');
  return joinTexts(names, 'problem.commas') ?? NONE;
}
