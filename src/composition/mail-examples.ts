import {
  emailContext,
  accountInvitationEmail,
  addressChangedEmail,
  loginEmail,
  passwordChangedEmail,
  resetEmail,
  securityEmail,
  verificationEmail,
} from '../accounts/account-emails.ts';
import type { MailExample, MailExamples } from '../accounts/mail-examples.ts';
import type { Config } from '../config/config.ts';
import type { Emails, EmailText } from '../language/emails.ts';
import { invitationEmail } from '../oauth/clients/invitation-mailer.ts';
import { testEmail } from '../operations/mail.ts';
import { mailSender } from './mail.ts';

// These names are the same in every language, because names that users choose are not translated either.
const APPLICATION = 'Harbour Calendar';
const BROWSER = 'Firefox on Linux';

/** Creates the example e-mails. Their links do not work. */
export function createMailExamples(deps: {
  readonly emails: Pick<Emails, 'write'>;
  readonly config: Pick<Config, 'mailFrom'>;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
}): MailExamples {
  const { emails, config, issuer, now } = deps;

  function composeEmail(example: MailExample, username: string): EmailText {
    const context = emailContext({ username }, issuer());
    const url = (path: string): string => `${issuer()}/accounts/${path}`;
    switch (example) {
      case 'reset':
        return resetEmail(context, url('reset/'));
      case 'verify':
        return verificationEmail(context, url('verify/'));
      case 'password-changed':
        return passwordChangedEmail(context, url('forgot/'));
      case 'email-changed':
        return addressChangedEmail(context);
      case 'login':
        return loginEmail(context, { browser: BROWSER, when: { at: now() } }, url('sessions/'));
      case 'security':
        return securityEmail(context, 'app-added', url(''));
      case 'account-invitation':
        return accountInvitationEmail(context, url('invitation/'));
      case 'invitation':
        return invitationEmail({ inviter: username, role: 'owner', application: APPLICATION }, url('invitation/'));
      case 'test':
        return testEmail(issuer());
    }
  }

  return {
    sender: () => mailSender(config, issuer()),
    write: (example, { username, email }, language) =>
      emails.write({ email }, composeEmail(example, username), language),
  };
}
