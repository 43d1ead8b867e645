import { MAX_LENGTH } from '../../domain/lengths.ts';

/**
 * The problem with an entered application name, in words; undefined when there is none. Surrounding spaces count towards
 * the length: a name must not become valid by trimming what was cut.
 */
export function applicationNameProblem(entered: string): string | undefined {
  if (entered.length > MAX_LENGTH.applicationName) return `Use at most ${MAX_LENGTH.applicationName} characters.`;
  const name = entered.trim();
  if (name === '') return 'Give the application a name: people will see it when they are asked to authorize it.';
  const unseen = INVISIBLE.exec(name)?.[0];
  if (unseen === undefined) return undefined;
  const why = 'it cannot be seen or changes how the rest is shown, so that one name could pass for another';
  return `Leave out the character U+${codePoint(unseen)}: ${why}.`;
}

/** Controls, direction marks, zero-width characters, line separators, private-use characters and lone surrogates. */
const CATEGORIES = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
/** Blanks that count as letters, and joiners and vowels that are not shown. */
const BLANKS = /[\u115F\u1160\u2800\u3164\uFFA0]|\u034F|\u17B4|\u17B5/u;
const VARIATION = /(?<!\p{Extended_Pictographic})\p{Variation_Selector}/u;

/** Characters that nobody sees. People decide by the name on the consent page, so it has to read as what it is. */
const INVISIBLE = new RegExp([CATEGORIES, BLANKS, VARIATION].map(({ source }) => source).join('|'), 'u');

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
