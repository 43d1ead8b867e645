/** How a language writes characters in a string literal with double quotes. */
export interface LiteralSyntax {
  /** A character below space, or DEL. */
  readonly control: (code: number) => string;
  /** A character above 7F, by its code point. */
  readonly beyondAscii: (codePoint: number) => string;
}

/**
 * A string literal with double quotes, in printable ASCII. So a registered value can neither end the literal nor
 * reorder the displayed code with characters that nobody sees.
 */
export function asciiLiteral(text: string, { control, beyondAscii }: LiteralSyntax): string {
  const characters = Array.from(text.replaceAll(/\p{Surrogate}/gu, REPLACEMENT), (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    if (character === '"' || character === '\\') return `\\${character}`;
    if (codePoint > DELETE) return beyondAscii(codePoint);
    return codePoint < SPACE || codePoint === DELETE ? control(codePoint) : character;
  });
  return `"${characters.join('')}"`;
}

const SPACE = 0x20;
const DELETE = 0x7f;
/** UTF-8 has this character in place of half of a surrogate pair. */
const REPLACEMENT = '\ufffd';

/** `\uXXXX`, with a pair of surrogates above FFFF. */
export function utf16Escape(codePoint: number): string {
  const units = String.fromCodePoint(codePoint).split('');
  return units.map((unit) => unicodeEscape(unit.charCodeAt(0))).join('');
}

/** `\uXXXX`. */
export function unicodeEscape(code: number): string {
  return String.raw`\u${code.toString(16).padStart(4, '0')}`;
}
