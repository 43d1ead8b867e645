import { MAX_LENGTH } from '../../domain/lengths.ts';
import { message, type Message } from '../../language/message.ts';

/**
 * Returns the problem with an entered application name, or undefined for a valid one. Surrounding whitespace counts
 * toward the length: trimming must not make an overlong name valid.
 */
export function applicationNameProblem(enteredName: string): Message | undefined {
  if (enteredName.length > MAX_LENGTH.applicationName)
    return message('problem.too-long', { limit: MAX_LENGTH.applicationName });
  const name = enteredName.trim();
  if (name === '') return message('client.name');
  return invisibleCharacterProblem(name);
}

/** Returns the problem with a string that is shown on one line, or undefined if every character is visible. */
export function invisibleCharacterProblem(text: string): Message | undefined {
  const invisibleCharacter = INVISIBLE.exec(text)?.[0];
  return invisibleCharacter === undefined
    ? undefined
    : message('client.invisible', { code: formatCodePoint(invisibleCharacter) });
}

/**
 * Control characters, direction marks, zero-width characters, line separators, private-use characters and lone
 * surrogates.
 */
const CATEGORIES = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
/** Characters that look blank, and joiners and vowels that are not displayed. */
const BLANKS = /[\u115F\u1160\u2800\u3164\uFFA0]|\u034F|\u17B4|\u17B5/u;
const STRAY_VARIATION_SELECTOR = /(?<!\p{Extended_Pictographic})\p{Variation_Selector}/u;

/** Invisible characters. Users rely on the name on the consent page, so different names must not look alike. */
const INVISIBLE = new RegExp([CATEGORIES, BLANKS, STRAY_VARIATION_SELECTOR].map(({ source }) => source).join('|'), 'u');

function formatCodePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
