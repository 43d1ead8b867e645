import { MAX_LENGTH } from './lengths.ts';
import { normalForm } from './normal-form.ts';

/**
 * Characters that are invisible or change how other characters are displayed: control and format characters, lone
 * surrogates, unusual blank characters, and line separators.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

/** Reports whether `text` contains a character that could make two different names look the same. */
export function hasInvisibleCharacter(text: string): boolean {
  return INVISIBLE.test(text);
}

/** Returns the stored form of a user name that a user entered. */
export function normalizeUserName(name: string): string {
  return normalForm(name, MAX_LENGTH.userName);
}

/**
 * Maps addresses that differ only in the case of ASCII letters to the same string. Other letters are unchanged, because
 * an address that only looks or folds like another address may belong to someone else.
 */
export function foldedEmail(address: string): string {
  return address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Maps names that differ only in case, width or compatibility form to the same string, such as FOO, ｆｏｏ and foo.
 * Returns text that is too long for a user name unchanged, because no account has such a name.
 */
export function foldedUserName(name: string): string {
  const normalName = normalizeUserName(name);
  if (normalName.length > MAX_LENGTH.userName) return name;
  // Upper case first: it unifies letters that have several lower-case forms (ß, ς, ſ, ı).
  return normalName.toUpperCase().toLowerCase().normalize('NFKC').replaceAll(/\s+/g, ' ');
}
