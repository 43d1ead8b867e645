import {
  aboutAccount,
  accountInvitationLetter,
  emailChangedLetter,
  loginLetter,
  passwordChangedLetter,
  resetLetter,
  securityLetter,
  verificationLetter,
} from '../accounts/account-letters.ts';
import type { MailExample, MailExamples } from '../accounts/mail-examples.ts';
import type { Config } from '../config/config.ts';
import type { Letters, LetterText } from '../language/letters.ts';
import { invitationLetter } from '../oauth/clients/invitation-mails.ts';
import { testLetter } from '../operations/mail.ts';
import { senderOf } from './mail.ts';

// The examples use these names in every language, because users' own names are not translated either.
const APPLICATION = 'Harbour Calendar';
const BROWSER = 'Firefox on Linux';

/** Creates the writer of the example mails. The links in them do not work. */
export function createMailExamples(deps: {
  readonly letters: Pick<Letters, 'write'>;
  readonly config: Pick<Config, 'mailFrom'>;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
}): MailExamples {
  const { letters, config, issuer, now } = deps;

  function composeLetter(example: MailExample, username: string): LetterText {
    const about = aboutAccount({ username }, issuer());
    const url = (path: string): string => `${issuer()}/accounts/${path}`;
    switch (example) {
      case 'reset':
        return resetLetter(about, url('reset/'));
      case 'verify':
        return verificationLetter(about, url('verify/'));
      case 'password-changed':
        return passwordChangedLetter(about, url('forgot/'));
      case 'email-changed':
        return emailChangedLetter(about);
      case 'login':
        return loginLetter(about, { browser: BROWSER, when: { at: now() } }, url('sessions/'));
      case 'security':
        return securityLetter(about, 'app-added', url(''));
      case 'account-invitation':
        return accountInvitationLetter(about, url('invitation/'));
      case 'invitation':
        return invitationLetter({ inviter: username, role: 'owner', application: APPLICATION }, url('invitation/'));
      case 'test':
        return testLetter(issuer());
    }
  }

  return {
    sender: () => senderOf(config, issuer()),
    write: (example, { username, email }, language) =>
      letters.write({ email }, composeLetter(example, username), language),
  };
}
