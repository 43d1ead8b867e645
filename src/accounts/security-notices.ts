import type { Letters } from '../language/letters.ts';
import type { User } from '../projections/users.ts';
import { aboutAccount, securityLetter, type SecurityNotice } from './account-letters.ts';

/** Sends e-mails about changes to an account, so that the user notices the actions of others. */
export interface SecurityNotices {
  /** Sends an e-mail in the background. Does nothing for a user without an e-mail address. */
  tell(user: Pick<User, 'username' | 'email' | 'profile'>, notice: SecurityNotice): void;
}

export function createSecurityNotices(letters: Pick<Letters, 'send'>, issuer: () => string): SecurityNotices {
  return {
    tell(user, notice) {
      if (user.email === '') return;
      letters.send(user, securityLetter(aboutAccount(user, issuer()), notice, `${issuer()}/accounts/`));
    },
  };
}
