import { message, type Message } from '../../language/message.ts';

/** Limits for JSON text from a caller, checked before the text is parsed. */
export interface JsonBounds {
  readonly maxLength: number;
  /** The maximum nesting depth of objects and arrays. */
  readonly maxDepth: number;
  /** The maximum number of members and elements in all objects and arrays. */
  readonly maxMembers: number;
}

/**
 * Returns the bound that `text` exceeds, or undefined if it exceeds none. Scans the text once without parsing it.
 * Invalid JSON can be within the bounds; the parser rejects it later.
 */
export function boundsProblem(text: string, bounds: JsonBounds): Message | undefined {
  const { maxLength, maxDepth, maxMembers } = bounds;
  if (text.length > maxLength) return message('json.characters', { limit: maxLength });
  let [depth, memberCount] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charAt(index)) {
      case '"':
        index = endOfString(text, index);
        break;
      case '{':
      case '[':
        depth += 1;
        memberCount += 1;
        break;
      case '}':
      case ']':
        depth -= 1;
        break;
      case ',':
        memberCount += 1;
        break;
      default:
    }
    if (depth > maxDepth) return message('json.levels', { limit: maxDepth });
    if (memberCount > maxMembers) return message('json.members', { limit: maxMembers });
  }
  return undefined;
}

/** Returns the index of the quote that closes the string. If no quote does, the index is beyond the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
