import type { Language } from '../language/languages.ts';
import type { WrittenMail } from '../language/emails.ts';
import type { User } from '../projections/users.ts';

/** The e-mails that the server sends, named after the keys of their messages in the catalog. */
export const MAIL_EXAMPLES = [
  'reset',
  'verify',
  'password-changed',
  'email-changed',
  'login',
  'security',
  'account-invitation',
  'invitation',
  'test',
] as const;

export type MailExample = (typeof MAIL_EXAMPLES)[number];

/** Example e-mails, which are shown but never sent. Their links do not work. */
export interface MailExamples {
  /** The sender of all e-mails: an address, or a name with an address. */
  sender(): string;
  write(example: MailExample, recipient: Pick<User, 'username' | 'email'>, language: Language): WrittenMail;
}
