import type { Users } from '../projections/users.ts';
import type { AccountMails } from './account-mails.ts';
import type { Accounts } from './accounts.ts';

/** Wraps `accounts`, so that a user gets an e-mail when the password or the e-mail address changes. */
export function withAccountNotices(
  accounts: Accounts,
  users: Pick<Users, 'find'>,
  mails: Pick<AccountMails, 'sendPasswordChangeNotice' | 'sendEmailChangeNotice'>,
): Accounts {
  return {
    ...accounts,
    async changePassword(user, ...rest) {
      const outcome = await accounts.changePassword(user, ...rest);
      if (!('errors' in outcome)) mails.sendPasswordChangeNotice(users.find(user.userId) ?? user);
      return outcome;
    },
    async changeProfile(user, ...rest) {
      const previousUser = users.find(user.userId);
      const failure = await accounts.changeProfile(user, ...rest);
      const isChanged = previousUser !== undefined && users.find(user.userId)?.email !== previousUser.email;
      if (failure === undefined && isChanged) mails.sendEmailChangeNotice(previousUser);
      return failure;
    },
  };
}
