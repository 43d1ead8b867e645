/** The escapes that a language has in string literals with double quotes. */
export interface LiteralSyntax {
  /** Returns the escape of a control character: one below space, or DEL. */
  readonly control: (code: number) => string;
  /** Returns the escape of a character whose code point is above 7F. */
  readonly nonAscii: (codePoint: number) => string;
}

/**
 * Returns a string literal with double quotes, in printable ASCII. As a result, a registered value can neither end the
 * literal nor reorder the displayed code with invisible characters.
 */
export function asciiLiteral(text: string, { control, nonAscii }: LiteralSyntax): string {
  const characters = Array.from(text.replaceAll(/\p{Surrogate}/gu, REPLACEMENT), (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    if (character === '"' || character === '\\') return `\\${character}`;
    if (codePoint > DELETE) return nonAscii(codePoint);
    return codePoint < SPACE || codePoint === DELETE ? control(codePoint) : character;
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
