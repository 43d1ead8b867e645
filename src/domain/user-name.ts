import { MAX_LENGTH } from './lengths.ts';
import { normalForm } from './normal-form.ts';

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
  return normalForm(entered, MAX_LENGTH.userName);
}

/**
 * The same for all names that differ only in case, width or another compatible form, such as FOO, ｆｏｏ and foo.
 * Text that is too long for a user name is returned unchanged. No account has such a name.
 */
export function foldedUserName(name: string): string {
  const normal = normalUserName(name);
  if (normal.length > MAX_LENGTH.userName) return name;
  // Upper case first: it spells out what has several lower cases (ß, ς) or is one in disguise (ſ, ı).
  return normal.toUpperCase().toLowerCase().normalize('NFKC').replaceAll(/\s+/g, ' ');
}
