import type { EmailText } from '../language/emails.ts';
import { message, type Message, type Moment } from '../language/message.ts';
import type { User } from '../projections/users.ts';

/** The account and the server that an e-mail is about. */
export interface EmailContext {
  readonly username: string;
  /** The server's host. */
  readonly server: string;
}

/** Returns the account and server details shown in e-mails. */
export function emailContext({ username }: Pick<User, 'username'>, issuer: string): EmailContext {
  return { username, server: new URL(issuer).host };
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

/** An event that a security e-mail reports. */
export type SecurityNotice = keyof typeof NOTICES;

/** Returns the e-mail with a link for choosing a new password. */
export function resetEmail({ username, server }: EmailContext, url: string): EmailText {
  return {
    subject: message('mail.reset.subject', { server }),
    paragraphs: [message('mail.reset.request', { username, server }), message('mail.reset.once')],
    link: { label: message('mail.reset.link'), url },
    note: message('mail.reset.note'),
  };
}

/** Returns the e-mail with a link that verifies the address. */
export function verificationEmail({ username, server }: EmailContext, url: string): EmailText {
  return {
    subject: message('mail.verify.subject', { server }),
    paragraphs: [message('mail.verify.request', { username, server }), message('mail.verify.once')],
    link: { label: message('mail.verify.link'), url },
    note: message('mail.verify.note'),
  };
}

/**
 * Returns the e-mail about a changed password.
 * @param url the page where the user can choose a new password
 */
export function passwordChangedEmail({ username, server }: EmailContext, url: string): EmailText {
  return {
    subject: message('mail.password-changed.subject', { server }),
    paragraphs: [message('mail.password-changed', { username, server })],
    note: message('mail.password-changed.note', { address: url }),
  };
}

/** Returns the e-mail that notifies an account's previous address that the address was changed. */
export function addressChangedEmail({ username, server }: EmailContext): EmailText {
  return {
    subject: message('mail.email-changed.subject', { server }),
    paragraphs: [message('mail.email-changed', { username, server })],
    note: message('mail.email-changed.note'),
  };
}

/**
 * Returns the e-mail about a login from a new browser.
 * @param browser a description such as "Firefox on Linux"; undefined if unknown
 */
export function loginEmail(
  account: EmailContext,
  { browser, when }: { readonly browser: string | undefined; readonly when: Moment },
  url: string,
): EmailText {
  const details = { ...account, when };
  return {
    subject: message('mail.login.subject', { server: account.server }),
    paragraphs: [
      browser === undefined
        ? message('mail.login.unknown-browser', details)
        : message('mail.login', { ...details, browser }),
      message('mail.login.if-you'),
      message('mail.login.if-not'),
    ],
    link: { label: message('mail.login.link'), url },
    note: message('mail.login.note'),
  };
}

/** Returns the e-mail about a change to a user's second factors or linked accounts. */
export function securityEmail({ username, server }: EmailContext, notice: SecurityNotice, url: string): EmailText {
  return {
    subject: message('mail.security.subject'),
    paragraphs: [message('mail.security.greeting', { username }), NOTICES[notice], message('mail.security.if-not')],
    link: { label: message('mail.security.link'), url },
    note: message('mail.security.note', { username, server }),
  };
}

/** Returns the e-mail with an invitation to create an account. */
export function accountInvitationEmail({ server }: Pick<EmailContext, 'server'>, url: string): EmailText {
  return {
    subject: message('mail.account-invitation.subject', { server }),
    paragraphs: [message('mail.account-invitation', { server }), message('mail.account-invitation.once')],
    link: { label: message('mail.account-invitation.link'), url },
    note: message('mail.account-invitation.note'),
  };
}
