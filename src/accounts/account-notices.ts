import type { Users } from '../projections/users.ts';
import type { AccountMailer } from './account-mailer.ts';
import type { Accounts } from './accounts.ts';

/** Wraps `accounts`, so that a user gets an e-mail when the password or the e-mail address changes. */
export function withAccountNotices(
  accounts: Accounts,
  users: Pick<Users, 'find'>,
  emails: Pick<AccountMailer, 'sendPasswordChangeNotice' | 'sendEmailChangeNotice'>,
): Accounts {
  return {
    ...accounts,
    async changePassword(user, ...rest) {
      const outcome = await accounts.changePassword(user, ...rest);
      if (!('errors' in outcome)) emails.sendPasswordChangeNotice(users.find(user.userId) ?? user);
      return outcome;
    },
    async changeProfile(user, ...rest) {
      const previousUser = users.find(user.userId);
      const failure = await accounts.changeProfile(user, ...rest);
      const isChanged = previousUser !== undefined && users.find(user.userId)?.email !== previousUser.email;
      if (failure === undefined && isChanged) emails.sendEmailChangeNotice(previousUser);
      return failure;
    },
  };
}
