import type { MemberRole } from '../../domain/values.ts';
import type { Language } from '../../language/languages.ts';
import type { Emails, EmailText } from '../../language/emails.ts';
import { message } from '../../language/message.ts';

interface InvitationEmail {
  readonly to: string;
  /** The invitation link. */
  readonly url: string;
  readonly role: MemberRole;
  readonly application: string;
  /** The user name of the owner who created the invitation. */
  readonly inviter: string;
  /** The language that the owner prefers; null if the owner has no preference. */
  readonly language: Language | null;
}

/** Sends invitation links by e-mail. */
export interface InvitationMailer {
  /** Whether the server sends mail. */
  readonly isOn: boolean;
  /** Queues the e-mail. */
  send(email: InvitationEmail): void;
}

/** Returns the text of the e-mail, which contains a link to `url`. */
export function invitationEmail(
  { inviter, role, application }: Pick<InvitationEmail, 'inviter' | 'role' | 'application'>,
  url: string,
): EmailText {
  return {
    subject: message('mail.invitation.subject', { application }),
    paragraphs: [message('mail.invitation', { inviter, role, application }), message('mail.invitation.once')],
    link: { label: message('mail.invitation.link'), url },
    note: message('mail.invitation.note'),
  };
}

export function createInvitationMailer(emails: Pick<Emails, 'isOn' | 'send'>): InvitationMailer {
  return {
    isOn: emails.isOn,
    send({ to, url, role, application, inviter, language }) {
      emails.send({ email: to }, invitationEmail({ role, application, inviter }, url), language);
    },
  };
}
