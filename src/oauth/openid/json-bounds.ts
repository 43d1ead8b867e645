import { message, type Message } from '../../language/message.ts';

/** Limits for JSON text from a caller, checked before the text is parsed. */
export interface JsonBounds {
  readonly maxLength: number;
  /** The depth of nested objects and lists. */
  readonly maxDepth: number;
  /** The number of members and elements in all objects and lists. */
  readonly maxMembers: number;
}

/**
 * Returns the bound that `text` exceeds, or undefined if it exceeds none. Scans the text once without parsing it.
 * Invalid JSON may be within the bounds; the parser refuses it later.
 */
export function boundsProblem(text: string, bounds: JsonBounds): Message | undefined {
  const { maxLength, maxDepth, maxMembers } = bounds;
  if (text.length > maxLength) return message('json.characters', { limit: maxLength });
  let [depth, members] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charAt(index)) {
      case '"':
        index = endOfString(text, index);
        break;
      case '{':
      case '[':
        depth += 1;
        members += 1;
        break;
      case '}':
      case ']':
        depth -= 1;
        break;
      case ',':
        members += 1;
        break;
      default:
    }
    if (depth > maxDepth) return message('json.levels', { limit: maxDepth });
    if (members > maxMembers) return message('json.members', { limit: maxMembers });
  }
  return undefined;
}

/** Returns the index of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
