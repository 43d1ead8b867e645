import type { History } from './history.ts';
import { isAdministrator } from './history/users.ts';
import type { AuditedEvent } from './audited-event.ts';
import { finding, lateViolation, type EventRule, type Violation } from './rule.ts';

function checkInviter({ event, recorded }: AuditedEvent, { users }: History): Violation | undefined {
  if (event.type !== 'InvitationAccepted' || event.data.invitedBy === null) return undefined;
  const { invitedBy } = event.data;
  const inviter = users.find(invitedBy);
  if (inviter === undefined) return finding(`the inviting user ${invitedBy} never had an account`);
  if (inviter.status === 'active' && isAdministrator(inviter.roles)) return undefined;
  const message = `the inviting user ${invitedBy} is not an administrator who can log in`;
  const lostAt = isAdministrator(inviter.roles) ? Infinity : (inviter.lostAdministrationAt ?? -Infinity);
  const endedAt = inviter.status === 'active' ? Infinity : (inviter.lastEnded?.at ?? -Infinity);
  return lateViolation(recorded, Math.min(lostAt, endedAt), message);
}

export const accountInvitationRules: readonly EventRule[] = [
  {
    name: 'an-invitation-creates-one-account',
    description: 'An invitation to create an account is accepted once, by the server for the new user.',
    check({ event: { type }, recorded: { stream, revision, actor } }) {
      if (type !== 'InvitationAccepted') return undefined;
      if (revision !== 1) return finding(`the invitation of ${stream} was accepted before`);
      return actor.kind === 'server' ? undefined : finding(`the actor is ${actor.kind}, not the server`);
    },
  },
  {
    name: 'administrators-invite',
    description:
      'The user who invites somebody to create an account is an administrator who can log in; a violation up to a ' +
      'minute after the role or the account ended is a notice, because the decision may be older.',
    check: checkInviter,
  },
];
