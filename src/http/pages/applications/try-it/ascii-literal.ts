/** The syntax of escapes in a language's double-quoted string literals. */
export interface LiteralSyntax {
  /** Returns the escape of a control character, that is, a character below space, or DEL. */
  readonly escapeControl: (code: number) => string;
  /** Returns the escape of a character whose code point is above 7F. */
  readonly escapeNonAscii: (codePoint: number) => string;
}

/**
 * Returns a double-quoted string literal in printable ASCII. A registered value can therefore neither end the literal
 * nor reorder the displayed code with invisible characters.
 */
export function asciiLiteral(text: string, { escapeControl, escapeNonAscii }: LiteralSyntax): string {
  const characters = Array.from(text.replaceAll(/\p{Surrogate}/gu, REPLACEMENT), (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    if (character === '"' || character === '\\') return `\\${character}`;
    if (codePoint > DELETE) return escapeNonAscii(codePoint);
    return codePoint < SPACE || codePoint === DELETE ? escapeControl(codePoint) : character;
  });
  return `"${characters.join('')}"`;
}

const SPACE = 0x20;
const DELETE = 0x7f;
/** Replaces an unpaired surrogate, which UTF-8 cannot encode. */
const REPLACEMENT = '\ufffd';

/** Returns the escape `\uXXXX` of a character or, if its code point is above FFFF, the escapes of its surrogates. */
export function utf16Escape(codePoint: number): string {
  const units = String.fromCodePoint(codePoint).split('');
  return units.map((unit) => unicodeEscape(unit.charCodeAt(0))).join('');
}

/** Returns the escape `\UXXXXXXXX` of a character, as in Go and Python. */
export function longUnicodeEscape(codePoint: number): string {
  return String.raw`\U${codePoint.toString(16).padStart(8, '0')}`;
}

/** Returns the escape `\uXXXX` of a UTF-16 code unit. */
export function unicodeEscape(code: number): string {
  return String.raw`\u${code.toString(16).padStart(4, '0')}`;
}
