import type { MemberRole } from '../../domain/values.ts';
import { formatLetter } from '../../platform/mail/letter.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';

interface InvitationMail {
  readonly to: string;
  /** The invitation link. */
  readonly url: string;
  readonly role: MemberRole;
  readonly application: string;
  /** The user name of the owner who invites. */
  readonly inviter: string;
}

/** Sends invitation links by mail. */
export interface InvitationMails {
  /** Whether mails are sent at all. */
  readonly isOn: boolean;
  /** Queues the mail. */
  send(mail: InvitationMail): void;
}

export function createInvitationMails(mailer: Pick<Mailer, 'isOn' | 'send'>): InvitationMails {
  return {
    isOn: mailer.isOn,
    send({ to, url, role, application, inviter }) {
      const letter = formatLetter({
        paragraphs: [
          `${inviter} invites you to become ${role === 'owner' ? 'an owner' : 'a test user'} of ${application}.`,
          'The link works once, for seven days. You need an account on this server to accept.',
        ],
        link: { label: 'See the invitation', url },
        note: 'You got this mail because somebody entered your address. If you do not expect it, ignore it.',
      });
      void mailer.send({ to, subject: `Invitation to ${application}`, ...letter });
    },
  };
}
