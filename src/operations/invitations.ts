import { z } from 'zod';
import { findUsersWithAddress } from '../accounts/same-address.ts';
import type { PendingInvitation, SentLink } from '../accounts/invitations.ts';
import { actorText, createNameLookup } from '../audit/queries/sentence-parts.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { UserId } from '../domain/values.ts';
import { english } from '../language/english.ts';
import { containsText } from '../lists/folded-text.ts';
import { isMailAddress } from '../platform/mail/mail-sender.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { invalidField } from './invalid-fields.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';
import { rolesInput } from './import/roles-input.ts';

const text = z.string().max(OPERATION_TEXTS.checkedText);
const inviteInput = z.strictObject({ address: text, roles: rolesInput });
const listInput = z.strictObject({ search: text.optional() });
/** `invitation` is the `id` shown by `invitation list`. */
const numberInput = z.strictObject({ invitation: z.string().min(1).max(OPERATION_TEXTS.userName) });

/** A pending invitation, as returned by `invitation list`. */
export interface InvitationRow {
  readonly id: number;
  readonly address: string;
  readonly roles: readonly string[];
  /**
   * The sender of the latest e-mail: the user name of an administrator, the name of an application, or “The
   * operator”.
   */
  readonly invited_by: string;
  readonly sent_at: string;
  readonly expires_at: string;
  /**
   * Whether the invited user could log in; false while password logins are off and no required provider links accounts
   * with this address.
   */
  readonly usable: boolean;
}

function toRow(
  { id, email, roles, sender, sentAt, expiresAt }: PendingInvitation,
  { projections, invitations }: OperationContext,
): InvitationRow {
  return {
    id,
    address: email,
    roles,
    invited_by: english.text(actorText(sender, createNameLookup(projections))),
    sent_at: isoTime(sentAt),
    expires_at: isoTime(expiresAt),
    usable: invitations.loginFor(email) !== undefined,
  };
}

/** @throws OperationRefused if the invited user could not log in */
function assertInviteeCanLogIn(address: string, { invitations }: OperationContext): void {
  if (invitations.loginFor(address) !== undefined) return;
  throw new OperationRefused(
    `passwords are off, and no required provider links the address ${address}, so the invited user could not ` +
      'log in; let a provider link verified addresses of this domain (grantlog provider set ID --linking ' +
      'verified-email), or turn passwords on (grantlog provider set ID --no-required)',
    'conflict',
  );
}

function toResponse(address: string, roles: readonly string[], { link, isSent, expiresAt }: SentLink) {
  return { address, roles, sent: isSent, link: isSent ? null : link, expires_at: isoTime(expiresAt) };
}

/**
 * Returns `{ warning }` if a user has the address without having verified it, or if an earlier invitation to it is
 * pending, and otherwise `{}`. The new invitation is not refused, because a script may run again and the roles may
 * differ.
 */
function duplicateWarning(address: string, { invitations, projections }: OperationContext): { warning?: string } {
  const [user] = findUsersWithAddress(address, projections.users);
  const pendingInvitation = invitations.findPending(address);
  const warnings = [
    ...(user === undefined ? [] : [`${user.username} has this address, but has not verified it.`]),
    ...(pendingInvitation === undefined
      ? []
      : [
          'An earlier invitation to this address is pending; to withdraw it: ' +
            `grantlog invitation withdraw ${pendingInvitation.id}`,
        ]),
  ];
  return warnings.length === 0 ? {} : { warning: warnings.join(' ') };
}

/**
 * Finds a pending invitation by its number.
 * @throws OperationRefused if no pending invitation has this number
 */
function requireInvitation(number: string, context: OperationContext): PendingInvitation {
  const pendingInvitation = context.invitations.findByNumber(number);
  if (pendingInvitation === undefined) throw notPendingError(number);
  return pendingInvitation;
}

/**
 * Returns the user to record as the inviter of a resent invitation, or null if the operator or a client becomes the
 * inviter. If a client resends an invitation with roles, the inviter stays the same, so that the invitation still ends
 * when that administrator loses the role.
 */
function inviterAfterResend({ roles, invitedBy }: PendingInvitation, { cause }: OperationContext): UserId | null {
  return cause.actor.kind === 'client' && roles.length > 0 ? invitedBy : null;
}

/** Returns the error for an operation on an invitation that is not pending. */
export function notPendingError(number: string): OperationRefused {
  const reason = `no pending invitation has the number ${JSON.stringify(number)}`;
  const explanation = 'it may have been used, withdrawn or replaced, or may have expired';
  return new OperationRefused(`${reason}: ${explanation}; see: grantlog invitation list`, 'unknown');
}

export const invitationOperations: Readonly<Record<string, Operation>> = {
  'user invite': operation(inviteInput, async ({ address, roles }, context) => {
    const { invitations, cause } = context;
    if (!isMailAddress(address)) throw invalidField('address', `${JSON.stringify(address)} is not an e-mail address`);
    const holder = invitations.findHolder(address);
    if (holder !== undefined) throw new OperationRefused(`${holder.username} already has the address ${address}`);
    const duplicate = duplicateWarning(address, context);
    assertInviteeCanLogIn(address, context);
    const sentInvitation = await invitations.invite({ email: address, roles, invitedBy: null }, cause);
    if (sentInvitation === undefined)
      throw new OperationRefused('the invitation was withdrawn or replaced before it was sent; try again', 'conflict');
    return { ...toResponse(address, roles, sentInvitation), ...duplicate };
  }),

  'invitation list': streamingOperation(listInput, async function* ({ search = '' }, context) {
    const rows = context.invitations.listPending().map((invitation) => toRow(invitation, context));
    for (const row of rows) if (containsText([row.address, row.invited_by, String(row.id)], search)) yield row;
  }),

  'invitation resend': operation(numberInput, async ({ invitation }, context) => {
    const pendingInvitation = requireInvitation(invitation, context);
    assertInviteeCanLogIn(pendingInvitation.email, context);
    const sentInvitation = await context.invitations.resend(
      pendingInvitation,
      inviterAfterResend(pendingInvitation, context),
      context.cause,
    );
    if (sentInvitation === undefined) throw notPendingError(invitation);
    return toResponse(pendingInvitation.email, pendingInvitation.roles, sentInvitation);
  }),

  'invitation withdraw': operation(numberInput, async ({ invitation }, context) => {
    const pendingInvitation = requireInvitation(invitation, context);
    if (!(await context.invitations.withdraw(pendingInvitation, context.cause))) throw notPendingError(invitation);
    return { id: pendingInvitation.id, address: pendingInvitation.email };
  }),
};
