/**
 * What shows nothing, or changes how its neighbours are shown: control, format and other invisible characters, halves of
 * characters, the blanks that are no space, and line ends.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

/** Whether two names that differ could look the same, or in another order than they are, because of `text`. */
export function hasInvisibleCharacter(text: string): boolean {
  return INVISIBLE.test(text);
}

/** A user's name as it is kept, of one that somebody entered: one way to write what has several. */
export function normalUserName(entered: string): string {
  return entered.normalize('NFKC');
}

/** What names have in common that differ only in case, width or another compatible form: FOO, ｆｏｏ and foo. */
export function foldedUserName(name: string): string {
  // Upper case first: it spells out what has several lower cases (ß, ς) or is one in disguise (ſ, ı).
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll(/\s+/g, ' ');
}
