import type { History } from './history.ts';
import { isAdministrator } from './history/users.ts';
import type { AuditedEvent } from './audited-event.ts';
import { finding, lateViolation, type EventRule, type Violation } from './rule.ts';

function checkInviter({ event, record }: AuditedEvent, { users }: History): Violation | undefined {
  if (event.type !== 'InvitationSent' && event.type !== 'InvitationAccepted') return undefined;
  const { invitedBy } = event.data;
  const { actor } = record;
  const sender = actor.kind === 'user' ? actor.id : null;
  if (event.type === 'InvitationSent' && sender !== invitedBy) {
    const actualSender = sender === null ? `the ${actor.kind}` : `user ${sender}`;
    const expectedSender = invitedBy === null ? 'the operator or a client' : `user ${invitedBy}`;
    return finding(`the sender is ${actualSender}, not ${expectedSender}`);
  }
  if (invitedBy === null) return undefined;
  const inviter = users.find(invitedBy);
  if (inviter === undefined) return finding(`the inviting user ${invitedBy} never had an account`);
  if (inviter.status === 'active' && isAdministrator(inviter.roles)) return undefined;
  const message = `the inviting user ${invitedBy} is not an administrator who can log in`;
  const lostAt = isAdministrator(inviter.roles) ? Infinity : (inviter.lostAdministrationAt ?? -Infinity);
  const endedAt = inviter.status === 'active' ? Infinity : (inviter.lastEnd?.at ?? -Infinity);
  return lateViolation(record, Math.min(lostAt, endedAt), message);
}

function checkAcceptance({ event: { type }, record }: AuditedEvent, { invitations }: History): Violation | undefined {
  if (type !== 'InvitationAccepted') return undefined;
  const { stream, actor, recordedAt } = record;
  const { status = 'sent', expiresAt = Infinity } = invitations.find(stream) ?? {};
  if (status !== 'sent') return finding(`the invitation in stream ${stream} was already ${status}`);
  if (actor.kind !== 'server') return finding(`the actor is of the kind ${actor.kind}, not server`);
  return recordedAt > expiresAt
    ? lateViolation(record, expiresAt, `the invitation in stream ${stream} had expired`)
    : undefined;
}

function checkSending(
  { event: { type }, record: { stream } }: AuditedEvent,
  { invitations }: History,
): Violation | undefined {
  if (type !== 'InvitationSent' && type !== 'InvitationWithdrawn') return undefined;
  const status = invitations.find(stream)?.status;
  if (status === 'withdrawn' || status === 'accepted')
    return finding(`the invitation in stream ${stream} was already ${status}`);
  return type === 'InvitationWithdrawn' && status === undefined
    ? finding(`the invitation in stream ${stream} was never sent`)
    : undefined;
}

export const accountInvitationRules: readonly EventRule[] = [
  {
    name: 'an-invitation-creates-one-account',
    description:
      'An invitation to create an account is accepted once, by the server for the new user, and neither after it was ' +
      'withdrawn nor after it expired; an acceptance up to a minute after its expiry is a notice.',
    check: checkAcceptance,
  },
  {
    name: 'an-invitation-ends-once',
    description:
      'An invitation to create an account is sent, sent again or withdrawn only until it is accepted or withdrawn, ' +
      'and withdrawn only after it was sent.',
    check: checkSending,
  },
  {
    name: 'administrators-invite',
    description:
      'An invitation to create an account records the user who sends it, if a user does, and this user is an ' +
      'administrator who can log in when it is sent and accepted; a violation up to a minute after the role was ' +
      'lost or the account ended is a notice, because the decision may be older.',
    check: checkInviter,
  },
];
