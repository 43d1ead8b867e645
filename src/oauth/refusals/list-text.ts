import { message, type Text } from '../../language/message.ts';

/** The names, separated by commas. */
export function listText(names: readonly string[]): Text {
  return names.length === 0 ? message('refusal.none') : names.join(', ');
}
