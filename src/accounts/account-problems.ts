import { MAX_LENGTH } from '../domain/lengths.ts';
import type { ProfileField } from '../domain/profile.ts';
import { hasInvisibleCharacter } from '../domain/user-name.ts';
import { message, type Message } from '../language/message.ts';

type AccountField = 'username' | 'password' | 'email' | 'first_name' | 'last_name';

/** The problem with each invalid field, and how to fix it. */
export type AccountErrors = Partial<Record<AccountField | ProfileField, Message>>;

export const ACCOUNT_GONE: AccountErrors = { username: message('problem.account-gone') };

const VALIDATORS: Readonly<Record<AccountField, (value: string) => Message | undefined>> = {
  username: usernameProblem,
  password: passwordProblem,
  email: emailProblem,
  first_name: nameProblem,
  last_name: nameProblem,
};

/** Returns the problems with the invalid fields, or undefined if all fields are valid. */
export function accountProblems(fields: Partial<Readonly<Record<AccountField, string>>>): AccountErrors | undefined {
  const problems = Object.entries(fields).map(
    ([field, value]) => [field, VALIDATORS[field as AccountField](value)] as const,
  );
  const errors = Object.fromEntries(problems.filter(([, problem]) => problem !== undefined)) as AccountErrors;
  return Object.keys(errors).length === 0 ? undefined : errors;
}

/**
 * Returns the problem with a string that exceeds the limit.
 * @param limit in UTF-16 code units
 */
export function tooLongProblem(limit: number): Message {
  return message('problem.too-long', { limit });
}

/** Reports whether the password is too long for any account. Such a password need not be hashed. */
export function isPasswordTooLong(password: string): boolean {
  return password.length > MAX_LENGTH.password;
}

function usernameProblem(username: string): Message | undefined {
  if (username === '') return message('problem.required');
  if (username.length > MAX_LENGTH.userName) return tooLongProblem(MAX_LENGTH.userName);
  if (/^\s|\s$/u.test(username)) return message('problem.outer-space');
  return hasInvisibleCharacter(username) ? message('problem.invisible') : undefined;
}

function passwordProblem(password: string): Message | undefined {
  if (password === '') return message('problem.required');
  return isPasswordTooLong(password) ? tooLongProblem(MAX_LENGTH.password) : undefined;
}

function emailProblem(email: string): Message | undefined {
  if (email === '') return undefined;
  return email.length <= MAX_LENGTH.email && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)
    ? undefined
    : message('problem.email');
}

function nameProblem(name: string): Message | undefined {
  if (name.length > MAX_LENGTH.personName) return tooLongProblem(MAX_LENGTH.personName);
  return /[\p{Cc}\p{Cs}]/u.test(name) ? message('problem.name-control-characters') : undefined;
}
