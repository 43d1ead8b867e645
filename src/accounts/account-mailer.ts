import type { Once } from '../event-store/once.ts';
import type { Language } from '../language/languages.ts';
import type { Emails } from '../language/emails.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import { TooManyAttemptsError } from '../platform/limits/too-many-attempts.ts';
import { isMailAddress } from '../platform/mail/mail-sender.ts';
import type { User } from '../projections/users.ts';
import {
  emailContext,
  addressChangedEmail,
  passwordChangedEmail,
  resetEmail,
  verificationEmail,
  type EmailContext,
} from './account-emails.ts';
import type { AccountLinks } from './account-links.ts';
import { spendMailLink } from './mail-link-limits.ts';
import { findByLogin, trimLogin, type LoginNames } from './login-name.ts';

/**
 * Sends account e-mails in the background. If the profile contains no language, an e-mail that was requested on a page
 * is in the language of that page.
 */
export interface AccountMailer {
  /** Whether e-mails are sent at all. */
  readonly isOn: boolean;
  /**
   * Sends a link for choosing a new password to every account that the user might mean, if its address is verified.
   * Returns before it searches for the accounts, so the response time does not depend on them.
   */
  requestReset(login: string, once: Once, language: Language | null): void;
  /** Sends a link for verifying the address. Returns false if it cannot be sent now, for example because of a limit. */
  sendVerification(user: User, once: Once, language: Language | null): boolean;
  /** Sends a notice of a password change to the account's address, if it is verified. */
  sendPasswordChangeNotice(user: User): void;
  /** Sends a notice of an address change to the previous address, if it was verified. */
  sendEmailChangeNotice(previousUser: User): void;
}

export function createAccountMailer(deps: {
  readonly emails: Pick<Emails, 'isOn' | 'send'>;
  readonly links: AccountLinks;
  readonly users: LoginNames;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
}): AccountMailer {
  const { emails, links, users, limits, issuer, now } = deps;

  const contextFor = (user: User): EmailContext => emailContext(user, issuer());

  /**
   * Counts a link against the limits for the account, its address and the server. Returns false if the link must not
   * be sent now.
   */
  function trySpendLink({ userId, email }: User, purpose: 'reset' | 'verify', once: Once): boolean {
    // Mail servers interpret comments and quotes in an address, so many strings could denote the same mailbox.
    if (!isMailAddress(email)) return false;
    try {
      limits.spend('mail-links-by-account', `${purpose} ${userId}`, once);
      spendMailLink(limits, purpose, email, once);
      return true;
    } catch (error) {
      if (error instanceof TooManyAttemptsError) return false;
      throw error;
    }
  }

  function sendReset(user: User, once: Once, language: Language | null): void {
    if (!user.active || !user.emailVerified || !trySpendLink(user, 'reset', once)) return;
    emails.send(user, resetEmail(contextFor(user), links.resetUrl(user, now())), language);
  }

  return {
    isOn: emails.isOn,

    requestReset(login, once, language) {
      if (!emails.isOn) return;
      setImmediate(() => {
        const matches = [findByLogin(users, login), users.findByVerifiedEmail(trimLogin(login))];
        for (const user of new Set(matches)) if (user !== undefined) sendReset(user, once, language);
      });
    },

    sendVerification(user, once, language) {
      if (!emails.isOn || user.email === '' || !trySpendLink(user, 'verify', once)) return false;
      emails.send(user, verificationEmail(contextFor(user), links.verificationUrl(user, now())), language);
      return true;
    },

    sendPasswordChangeNotice(user) {
      if (!user.emailVerified) return;
      emails.send(user, passwordChangedEmail(contextFor(user), `${issuer()}/accounts/forgot/`));
    },

    sendEmailChangeNotice(previousUser) {
      if (!previousUser.emailVerified) return;
      emails.send(previousUser, addressChangedEmail(contextFor(previousUser)));
    },
  };
}
