import type { Letters } from '../language/letters.ts';
import { message, type Message } from '../language/message.ts';
import type { User } from '../projections/users.ts';

/** Tells a user by mail what happened to their account, so that they notice actions that are not their own. */
export interface SecurityNotices {
  /** Sends in the background, and nothing to a user without an e-mail address. */
  tell(user: Pick<User, 'username' | 'email' | 'profile'>, what: SecurityNotice): void;
}

const NOTICES = {
  'app-added': message('mail.security.app-added'),
  'turned-on': message('mail.security.turned-on'),
  'app-removed': message('mail.security.app-removed'),
  'codes-generated': message('mail.security.codes-generated'),
  'code-used': message('mail.security.code-used'),
  'turned-off': message('mail.security.turned-off'),
  'provider-linked': message('mail.security.provider-linked'),
  'provider-unlinked': message('mail.security.provider-unlinked'),
  'all-removed': message('mail.security.all-removed'),
} as const satisfies Readonly<Record<string, Message>>;

export type SecurityNotice = keyof typeof NOTICES;

export function createSecurityNotices(letters: Pick<Letters, 'send'>, issuer: () => string): SecurityNotices {
  return {
    tell(user, what) {
      if (user.email === '') return;
      const { username } = user;
      letters.send(user, {
        subject: message('mail.security.subject'),
        paragraphs: [message('mail.security.greeting', { username }), NOTICES[what], message('mail.security.if-not')],
        link: { label: message('mail.security.link'), url: `${issuer()}/accounts/` },
        note: message('mail.security.note', { username, server: new URL(issuer()).host }),
      });
    },
  };
}
