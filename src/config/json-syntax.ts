/** The kind of text expected at the error; `string` for a malformed string, `unfinished` if the text ends too early. */
export type JsonSyntaxCause = 'value' | 'name' | 'colon' | 'comma' | 'string' | 'end' | 'unfinished';

export interface JsonSyntaxError {
  /** The line number, starting at 1. */
  readonly line: number;
  readonly cause: JsonSyntaxCause;
}

const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
const LITERAL = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null)(?![\w.])/y;
const SPACE = /[ \t\r\n]*/y;

type Expected = Exclude<JsonSyntaxCause, 'string' | 'unfinished'>;

/**
 * Returns the first syntax error in the text, or undefined if the text is valid JSON (RFC 8259). The messages of
 * `JSON.parse` differ between versions of Node, and most do not contain the line number.
 */
export function findJsonSyntaxError(text: string): JsonSyntaxError | undefined {
  const openBrackets: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let mayClose = false;
  let position = matchEnd(SPACE, text, 0) ?? 0;
  const error = (cause: JsonSyntaxCause) => ({ line: text.slice(0, position).split('\n').length, cause });
  const expectedAfterValue = (): Expected => (openBrackets.length === 0 ? 'end' : 'comma');

  while (position < text.length) {
    const character = text.charAt(position);
    const isClosing = character === (openBrackets.at(-1) === '{' ? '}' : ']') && openBrackets.length > 0;
    let next: number | undefined = position + 1;
    if (isClosing && (mayClose || expected === 'comma')) {
      openBrackets.pop();
      [expected, mayClose] = [expectedAfterValue(), false];
    } else if (expected === 'value' && (character === '{' || character === '[')) {
      openBrackets.push(character);
      [expected, mayClose] = [character === '{' ? 'name' : 'value', true];
    } else if (expected === 'value' || expected === 'name') {
      const pattern = character === '"' ? STRING : expected === 'value' ? LITERAL : undefined;
      next = pattern && matchEnd(pattern, text, position);
      if (next === undefined) return error(character === '"' ? 'string' : expected);
      [expected, mayClose] = [expected === 'name' ? 'colon' : expectedAfterValue(), false];
    } else if (expected === 'colon' && character === ':') {
      expected = 'value';
    } else if (expected === 'comma' && character === ',') {
      expected = openBrackets.at(-1) === '{' ? 'name' : 'value';
    } else {
      return error(expected);
    }
    position = matchEnd(SPACE, text, next) ?? next;
  }
  return expected === 'end' ? undefined : error('unfinished');
}

function matchEnd(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
