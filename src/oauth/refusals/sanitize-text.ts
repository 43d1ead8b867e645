import { english } from '../../language/english.ts';
import { isList, isMessage, message, type MessageValues, type Text } from '../../language/message.ts';
import { sanitize } from './sanitize.ts';

/** A list of problems, one per line, is shortened to fewer lines if it exceeds this length. */
const MAX_LINES_LENGTH = 200;

/** Returns the message with its values made safe to store and show. */
export function sanitizeText(text: Text): Text {
  if (!isMessage(text)) return sanitize(text);
  const { one } = text.values ?? {};
  const isTooLong = text.key === 'problem.lines' && english.text(text).length > MAX_LINES_LENGTH;
  if (isTooLong && (typeof one === 'string' || isMessage(one))) return sanitizeText(one);
  const values = Object.entries(text.values ?? {}).map(([name, value]) => [name, sanitizeValue(value)] as const);
  return message(text.key, Object.fromEntries(values));
}

function sanitizeValue(value: MessageValues[string]): MessageValues[string] {
  if (typeof value === 'string' || isMessage(value)) return sanitizeText(value);
  if (isList(value)) return value.map(sanitizeText);
  return typeof value === 'object' && 'names' in value ? { names: value.names.map(sanitize) } : value;
}
