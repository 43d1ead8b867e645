import type { Users } from '../projections/users.ts';
import type { AccountMails } from './account-mails.ts';
import type { Accounts } from './accounts.ts';

/** Wraps `accounts`, so that a user gets an e-mail when the password or the e-mail address changes. */
export function withAccountNotices(
  accounts: Accounts,
  users: Pick<Users, 'find'>,
  mails: Pick<AccountMails, 'announcePasswordChange' | 'announceEmailChange'>,
): Accounts {
  return {
    ...accounts,
    async changePassword(user, ...rest) {
      const outcome = await accounts.changePassword(user, ...rest);
      if (!('errors' in outcome)) mails.announcePasswordChange(users.find(user.userId) ?? user);
      return outcome;
    },
    async changeProfile(user, ...rest) {
      const before = users.find(user.userId);
      const failure = await accounts.changeProfile(user, ...rest);
      const isChanged = before !== undefined && users.find(user.userId)?.email !== before.email;
      if (failure === undefined && isChanged) mails.announceEmailChange(before);
      return failure;
    },
  };
}
