import { MAX_LENGTH } from '../domain/lengths.ts';
import type { ProfileField } from '../domain/profile.ts';
import { hasInvisibleCharacter } from '../domain/user-name.ts';

type AccountField = 'username' | 'password' | 'email' | 'first_name' | 'last_name';

/** By field: what is wrong and how to fix it. */
export type AccountErrors = Partial<Record<AccountField | ProfileField, string>>;

export const ACCOUNT_GONE: AccountErrors = { username: 'This account no longer exists.' };

const VALIDATORS: Readonly<Record<AccountField, (value: string) => string | undefined>> = {
  username: usernameProblem,
  password: passwordProblem,
  email: emailProblem,
  first_name: nameProblem,
  last_name: nameProblem,
};

/** Undefined if every given field is valid. */
export function accountProblems(fields: Partial<Readonly<Record<AccountField, string>>>): AccountErrors | undefined {
  const found = Object.entries(fields).map(
    ([field, value]) => [field, VALIDATORS[field as AccountField](value)] as const,
  );
  const errors = Object.fromEntries(found.filter(([, problem]) => problem !== undefined)) as AccountErrors;
  return Object.keys(errors).length === 0 ? undefined : errors;
}

/** No account has such a password, so it need not be hashed. */
export function isPasswordTooLong(password: string): boolean {
  return password.length > MAX_LENGTH.password;
}

const INVISIBLE_CHARACTERS =
  'The user name contains invisible characters, such as control characters or marks that change ' +
  'the text direction. Type it again without them.';

function usernameProblem(username: string): string | undefined {
  if (username === '') return 'This field is required.';
  if (username.length > MAX_LENGTH.userName) return `Use at most ${MAX_LENGTH.userName} characters.`;
  if (/^\s|\s$/u.test(username)) return 'The user name must not begin or end with a space.';
  return hasInvisibleCharacter(username) ? INVISIBLE_CHARACTERS : undefined;
}

function passwordProblem(password: string): string | undefined {
  if (password === '') return 'This field is required.';
  return isPasswordTooLong(password) ? `Use at most ${MAX_LENGTH.password} characters.` : undefined;
}

function emailProblem(email: string): string | undefined {
  if (email === '') return undefined;
  return email.length <= MAX_LENGTH.email && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)
    ? undefined
    : 'Enter a valid e-mail address.';
}

function nameProblem(name: string): string | undefined {
  if (name.length > MAX_LENGTH.personName) return `Use at most ${MAX_LENGTH.personName} characters.`;
  return /[\p{Cc}\p{Cs}]/u.test(name) ? 'The name must not contain control characters.' : undefined;
}
