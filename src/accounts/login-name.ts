import { MAX_LENGTH } from '../domain/lengths.ts';
import { MAX_DECOMPOSED_LENGTH } from '../domain/normal-form.ts';
import { normalizeUserName } from '../domain/user-name.ts';
import type { User, Users } from '../projections/users.ts';

export type LoginNames = Pick<Users, 'findByNameLike' | 'findByVerifiedEmail'>;

const MAX_INPUT_LENGTH = MAX_LENGTH.userName * MAX_DECOMPOSED_LENGTH;

/**
 * Removes the leading and trailing spaces that some keyboards add. Returns text that is too long for a name unchanged.
 */
export function trimLogin(input: string): string {
  return input.length > MAX_INPUT_LENGTH ? input : input.trim();
}

/**
 * Finds the account for the input on the login page: the user name or the verified e-mail address, in upper or lower
 * case. Returns undefined if no account has either. The user name takes precedence, so verifying an address cannot take
 * a login name away from another account.
 */
export function findByLogin(users: LoginNames, input: string): User | undefined {
  const name = trimLogin(input);
  return users.findByNameLike(normalizeUserName(name)) ?? users.findByVerifiedEmail(name);
}
