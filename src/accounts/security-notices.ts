import { formatLetter } from '../platform/mail/letter.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import type { User } from '../projections/users.ts';

/** Tells a user by mail what happened to their account, so that they notice what they did not do. */
export interface SecurityNotices {
  /** Sends in the background, and nothing to a user without an e-mail address. */
  tell(user: Pick<User, 'username' | 'email'>, what: SecurityNotice): void;
}

const NOTICES = {
  'app-added':
    'An authenticator app was added to your account. When you log in, you now also enter a code from it. Your other ' +
    'sessions that began with the password alone have ended.',
  'turned-on':
    'Two-step login was turned on for your account. After the password, you now use a passkey. Your other sessions ' +
    'that began with the password alone have ended.',
  'app-removed': 'The authenticator app was removed from your account.',
  'codes-generated': 'New recovery codes were generated for your account. The earlier ones no longer work.',
  'code-used': 'Somebody logged in to your account with one of your recovery codes. It does not work again.',
  'turned-off': 'Two-step login was turned off for your account. The password alone is now enough to log in.',
  'provider-linked': 'An account at another provider was linked to your account. You can log in with it now.',
  'provider-unlinked':
    'An account at another provider was unlinked from your account. You cannot log in with it any more.',
  'all-removed':
    'An administrator removed the second factors of your account, among them its passkeys, and ended its sessions.',
} as const;

export type SecurityNotice = keyof typeof NOTICES;

export function createSecurityNotices(mailer: Pick<Mailer, 'send'>, issuer: () => string): SecurityNotices {
  return {
    tell({ username, email }, what) {
      if (email === '') return;
      const letter = formatLetter({
        paragraphs: [
          `Hello ${username},`,
          NOTICES[what],
          'If this was not you, change your password and look at your sessions.',
        ],
        link: { label: 'Open your account', url: `${issuer()}/accounts/` },
        note: `You get this mail because somebody changed how ${username} logs in at ${new URL(issuer()).host}.`,
      });
      void mailer.send({ to: email, subject: 'The login to your account was changed', ...letter });
    },
  };
}
