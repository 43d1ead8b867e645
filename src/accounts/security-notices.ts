import type { Emails } from '../language/emails.ts';
import type { User } from '../projections/users.ts';
import { emailContext, securityEmail, type SecurityNotice } from './account-emails.ts';

/** Sends e-mails about changes to an account, so that the user notices changes made by somebody else. */
export interface SecurityNotices {
  /** Sends an e-mail in the background. Does nothing for a user without an e-mail address. */
  send(user: Pick<User, 'username' | 'email' | 'profile'>, notice: SecurityNotice): void;
}

export function createSecurityNotices(emails: Pick<Emails, 'send'>, issuer: () => string): SecurityNotices {
  return {
    send(user, notice) {
      if (user.email === '') return;
      emails.send(user, securityEmail(emailContext(user, issuer()), notice, `${issuer()}/accounts/`));
    },
  };
}
