import type { Once } from '../event-store/once.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import { TooManyAttempts } from '../platform/limits/too-many-attempts.ts';
import { formatLetter, type Letter } from '../platform/mail/letter.ts';
import { isMailAddress } from '../platform/mail/mail-sender.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import type { User } from '../projections/users.ts';
import type { AccountLinks } from './account-links.ts';
import { spendMailLink } from './mail-link-limits.ts';
import { findByLogin, trimmedLogin, type LoginNames } from './login-name.ts';

/** The mails about accounts. They are sent in the background. */
export interface AccountMails {
  /** Whether mails are sent at all. */
  readonly isOn: boolean;
  /**
   * Sends a link for choosing a new password to every account that the user can mean, if its address is verified.
   * Returns before it looks for them, so the time of the response does not depend on them.
   */
  requestReset(entered: string, once: Once): void;
  /** Sends a link that verifies the address. Returns false if that is not possible now, because of a limit. */
  sendVerification(user: User, once: Once): boolean;
  /** Tells the owner of the account's address that the password was changed. */
  passwordChanged(user: User): void;
  /** Tells the owner of the earlier address that the account has another one. */
  emailChanged(before: User): void;
}

export function createAccountMails(parts: {
  readonly mailer: Pick<Mailer, 'isOn' | 'send'>;
  readonly links: AccountLinks;
  readonly users: LoginNames;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
}): AccountMails {
  const { mailer, links, users, limits, issuer, now } = parts;

  const host = (): string => new URL(issuer()).host;

  function send({ email }: User, subject: string, letter: Letter): void {
    void mailer.send({ to: email, subject, ...formatLetter(letter) });
  }

  /** Whether a link may be sent to the account and its address now; if so, it is counted. */
  function mayRequest({ userId, email }: User, purpose: 'reset' | 'verify', once: Once): boolean {
    // Mail servers read comments and quotes in an address, so that many texts could mean one mailbox.
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

  function sendReset(user: User, once: Once): void {
    if (!user.active || !user.emailVerified || !mayRequest(user, 'reset', once)) return;
    send(user, `Choose a new password for ${host()}`, {
      paragraphs: [
        `Somebody, probably you, asked for a new password for the account ${user.username} at ${host()}.`,
        'The link works once, within 30 minutes. You can then log in with the new password.',
      ],
      link: { label: 'Choose a new password', url: links.reset(user, now()) },
      note: 'If it wasn’t you, ignore this mail. Nothing has changed, and nobody can use the link without this mail.',
    });
  }

  return {
    isOn: mailer.isOn,

    requestReset(entered, once) {
      if (!mailer.isOn) return;
      setImmediate(() => {
        const meant = [findByLogin(users, entered), users.findByVerifiedEmail(trimmedLogin(entered))];
        for (const user of new Set(meant)) if (user !== undefined) sendReset(user, once);
      });
    },

    sendVerification(user, once) {
      if (!mailer.isOn || user.email === '' || !mayRequest(user, 'verify', once)) return false;
      send(user, `Confirm your e-mail address for ${host()}`, {
        paragraphs: [
          `Please confirm that this is the e-mail address of the account ${user.username} at ${host()}.`,
          'The link works once and expires after a day. You can then log in with this address and reset your ' +
            'password by e-mail.',
        ],
        link: { label: 'Confirm the address', url: links.verification(user, now()) },
        note: 'If you have no such account, ignore this mail. Without your confirmation, the address is not used.',
      });
      return true;
    },

    passwordChanged(user) {
      if (!user.emailVerified) return;
      send(user, `Your password for ${host()} was changed`, {
        paragraphs: [
          `The password of the account ${user.username} at ${host()} was changed, and all its sessions were ended.`,
        ],
        note: `If it wasn’t you, choose a new password at ${issuer()}/accounts/forgot/ and tell an administrator.`,
      });
    },

    emailChanged(before) {
      if (!before.emailVerified) return;
      send(before, `Your e-mail address for ${host()} was changed`, {
        paragraphs: [
          `The account ${before.username} at ${host()} now has another e-mail address. It no longer sends mails here.`,
        ],
        note: 'If it wasn’t you, tell an administrator of the server at once.',
      });
    },
  };
}
