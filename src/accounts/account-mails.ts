import type { Once } from '../event-store/once.ts';
import type { Language } from '../language/languages.ts';
import type { Letters, LetterText, WrittenMail } from '../language/letters.ts';
import { message } from '../language/message.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import { TooManyAttempts } from '../platform/limits/too-many-attempts.ts';
import { isMailAddress } from '../platform/mail/mail-sender.ts';
import type { User } from '../projections/users.ts';
import type { AccountLinks } from './account-links.ts';
import { spendMailLink } from './mail-link-limits.ts';
import { findByLogin, trimmedLogin, type LoginNames } from './login-name.ts';

/**
 * The mails about accounts. They are sent in the background. If the profile names no language, a mail that was
 * requested on a page has the language of that page.
 */
export interface AccountMails {
  /** Whether mails are sent at all. */
  readonly isOn: boolean;
  /**
   * Sends a link for choosing a new password to every account that the user may mean, if its address is verified.
   * Returns before it searches for the accounts, so the time of the response does not depend on them.
   */
  requestReset(entered: string, once: Once, language: Language | null): void;
  /** Sends a link that verifies the address. Returns false if that is not possible now, because of a limit. */
  sendVerification(user: User, once: Once, language: Language | null): boolean;
  /** Tells the owner of the account's address that the password was changed. */
  passwordChanged(user: User): void;
  /** An example of a mail, whose link does not work. It is not sent. */
  example(user: User, language: Language | null): WrittenMail;
  /** Tells the owner of the earlier address that the account has another address. */
  emailChanged(before: User): void;
}

export function createAccountMails(parts: {
  readonly letters: Pick<Letters, 'isOn' | 'send' | 'write'>;
  readonly links: AccountLinks;
  readonly users: LoginNames;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
}): AccountMails {
  const { letters, links, users, limits, issuer, now } = parts;

  const host = (): string => new URL(issuer()).host;

  /** Whether a link may be sent to the account and its address now; if so, it is counted. */
  function mayRequest({ userId, email }: User, purpose: 'reset' | 'verify', once: Once): boolean {
    // Mail servers read comments and quotes in an address, so many texts could name one mailbox.
    if (!isMailAddress(email)) return false;
    try {
      limits.spend('mail-links-by-account', `${purpose} ${userId}`, once);
      spendMailLink(limits, purpose, email, once);
      return true;
    } catch (error) {
      if (error instanceof TooManyAttempts) return false;
      throw error;
    }
  }

  function sendReset(user: User, once: Once, language: Language | null): void {
    if (!user.active || !user.emailVerified || !mayRequest(user, 'reset', once)) return;
    letters.send(user, resetLetter(user, links.reset(user, now())), language);
  }

  function resetLetter({ username }: User, url: string): LetterText {
    const server = host();
    return {
      subject: message('mail.reset.subject', { server }),
      paragraphs: [message('mail.reset.request', { username, server }), message('mail.reset.once')],
      link: { label: message('mail.reset.link'), url },
      note: message('mail.reset.note'),
    };
  }

  return {
    isOn: letters.isOn,

    requestReset(entered, once, language) {
      if (!letters.isOn) return;
      setImmediate(() => {
        const matching = [findByLogin(users, entered), users.findByVerifiedEmail(trimmedLogin(entered))];
        for (const user of new Set(matching)) if (user !== undefined) sendReset(user, once, language);
      });
    },

    sendVerification(user, once, language) {
      if (!letters.isOn || user.email === '' || !mayRequest(user, 'verify', once)) return false;
      const [server, { username }] = [host(), user];
      letters.send(
        user,
        {
          subject: message('mail.verify.subject', { server }),
          paragraphs: [message('mail.verify.request', { username, server }), message('mail.verify.once')],
          link: { label: message('mail.verify.link'), url: links.verification(user, now()) },
          note: message('mail.verify.note'),
        },
        language,
      );
      return true;
    },

    example: (user, language) => letters.write(user, resetLetter(user, `${issuer()}/accounts/reset/`), language),

    passwordChanged(user) {
      if (!user.emailVerified) return;
      const [server, { username }] = [host(), user];
      letters.send(user, {
        subject: message('mail.password-changed.subject', { server }),
        paragraphs: [message('mail.password-changed', { username, server })],
        note: message('mail.password-changed.note', { address: `${issuer()}/accounts/forgot/` }),
      });
    },

    emailChanged(before) {
      if (!before.emailVerified) return;
      const [server, { username }] = [host(), before];
      letters.send(before, {
        subject: message('mail.email-changed.subject', { server }),
        paragraphs: [message('mail.email-changed', { username, server })],
        note: message('mail.email-changed.note'),
      });
    },
  };
}
