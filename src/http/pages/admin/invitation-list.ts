import type { PendingInvitation } from '../../../accounts/invitations.ts';
import { actorText, type Names } from '../../../audit/queries/sentence-parts.ts';
import { english } from '../../../language/english.ts';
import { message, type Text } from '../../../language/message.ts';
import { actionColumn, textColumn, timeColumn, type ButtonCell, type PageList } from '../lists/page-list.ts';
import { ROLE_FILTER, ROLES_COLUMN } from './user-list.ts';

const UNUSABLE = { text: message('invitations.unusable'), tone: 'warning' } as const;

/** Defines the list of pending invitations, each with buttons to resend and withdraw it. */
export function invitationList({
  names,
  csrfToken,
  mintFormId,
  isUsable,
}: {
  readonly names: Names;
  readonly csrfToken: string;
  /** Creates the id of a form that sends the invitation again. */
  readonly mintFormId: (invitation: PendingInvitation) => string;
  /** Reports whether the invited user would be able to log in. */
  readonly isUsable: (invitation: PendingInvitation) => boolean;
}): PageList<PendingInvitation> {
  const inviter = ({ sender }: PendingInvitation): Text => actorText(sender, names);
  const inviterName = (invitation: PendingInvitation): string => english.text(inviter(invitation));
  const button = (action: 'resend' | 'withdraw', invitation: PendingInvitation): ButtonCell => ({
    action: `/admin/users/invitations/${invitation.id}/${action}/`,
    csrfToken,
    hidden: action === 'resend' ? { form_id: mintFormId(invitation) } : {},
    text: message(`invitations.${action}`),
    label: message(`invitations.${action}-label`, { email: invitation.email }),
    tone: 'plain',
  });
  return {
    name: message('listed.invitations'),
    countMessage: 'listed.invitations.count',
    fileName: 'invitations',
    searchLabel: message('search.e-mail-address-or-inviter'),
    id: ({ id }) => id,
    texts: (invitation) => [invitation.email, inviterName(invitation)],
    filters: [ROLE_FILTER],
    columns: [
      textColumn('email', message('column.email'), ({ email }) => email),
      ROLES_COLUMN,
      textColumn('inviter', message('column.invited-by'), inviterName, (invitation) => ({ text: inviter(invitation) })),
      timeColumn('sent', message('column.sent'), ({ sentAt }) => sentAt),
      {
        ...timeColumn<PendingInvitation>('expires', message('column.expires'), ({ expiresAt }) => expiresAt),
        cell: (invitation) => ({ at: invitation.expiresAt, ...(!isUsable(invitation) && { mark: UNUSABLE }) }),
      },
      textColumn('usable', message('column.usable'), (invitation) => (isUsable(invitation) ? 'yes' : 'no'), 'file'),
      actionColumn(message('column.actions'), (invitation) => ({
        forms: [button('resend', invitation), button('withdraw', invitation)],
      })),
    ],
    sort: { by: 'sent', direction: 'descending' },
    empty: {
      icon: 'users',
      text: message('empty.invitations'),
      action: { href: '/admin/users/invite/', text: message('empty.invitations.action') },
    },
  };
}
