import { foldedEmail } from '../domain/user-name.ts';
import type { User, Users } from '../projections/users.ts';

/**
 * Returns a different account that has verified this account's address, if any. An address
 * can be verified for only one account.
 */
export function findOtherVerifier(
  { userId, email }: User,
  users: Pick<Users, 'findByVerifiedEmail'>,
): User | undefined {
  const holder = email === '' ? undefined : users.findByVerifiedEmail(email);
  return holder?.userId === userId ? undefined : holder;
}

/** Returns a different account with the address `email`, verified or not, if any. */
export function findOtherWithAddress({ userId }: User, email: string, users: Pick<Users, 'all'>): User | undefined {
  return findUsersWithAddress(email, users).find((user) => user.userId !== userId);
}

/** Returns the accounts with the address, verified or not. */
export function findUsersWithAddress(email: string, users: Pick<Users, 'all'>): readonly User[] {
  if (email === '') return [];
  const foldedAddress = foldedEmail(email);
  return users.all().filter((user) => foldedEmail(user.email) === foldedAddress);
}
