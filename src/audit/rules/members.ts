import { clientIdFromStream, type ClientRecord } from './history/clients.ts';
import { isRedemption } from './history/grants.ts';
import type { History } from './history.ts';
import type { AuditedEvent } from './audited-event.ts';
import { finding, lateViolation, type EventRule, type Violation } from './rule.ts';

function findClient({ record }: AuditedEvent, { clients }: History): Readonly<ClientRecord> | undefined {
  return clients.find(clientIdFromStream(record));
}

function checkRoles(auditedEvent: AuditedEvent, history: History): Violation | undefined {
  const { type, data } = auditedEvent.event;
  if (type !== 'ClientMemberAdded' && type !== 'ClientMemberRemoved') return undefined;
  const role = findClient(auditedEvent, history)?.members.get(data.userId);
  if (type === 'ClientMemberRemoved')
    return role === data.role
      ? undefined
      : finding(`user ${data.userId} was removed as ${data.role}, but did not have this role`);
  const hasRole = role === 'owner' || role === data.role;
  return hasRole ? finding(`user ${data.userId} was added as ${data.role}, but is already ${role}`) : undefined;
}

function checkLastOwner(auditedEvent: AuditedEvent, history: History): Violation | undefined {
  const { type, data } = auditedEvent.event;
  if (type !== 'ClientMemberRemoved' || data.role !== 'owner') return undefined;
  const members = [...(findClient(auditedEvent, history)?.members ?? [])];
  const hasOtherOwner = members.some(
    ([userId, role]) => role === 'owner' && userId !== data.userId && history.users.find(userId)?.status !== 'erased',
  );
  return hasOtherOwner ? undefined : finding(`user ${data.userId} was the last owner`);
}

function checkInvitation(auditedEvent: AuditedEvent, history: History): Violation | undefined {
  const { type, data } = auditedEvent.event;
  if (type !== 'ClientMemberAdded' || data.invitation === null) return undefined;
  const { hash, by } = data.invitation;
  const { actor } = auditedEvent.record;
  if (actor.kind !== 'user' || actor.id !== data.userId)
    return finding(`user ${data.userId} did not accept the invitation themselves`);
  const client = findClient(auditedEvent, history);
  if (client?.acceptedInvitations.has(hash) === true) return finding('the invitation was already accepted');
  return client?.members.get(by) === 'owner' ? undefined : finding(`user ${by} invited without being an owner`);
}

/** Returns the client and the user of an event that gives the client access on behalf of the user. */
function grantParties({ event: { type, data }, record }: AuditedEvent, { grants }: History) {
  if (type === 'ConsentGiven') return data;
  const followsConsent = isRedemption(type) || type === 'RefreshTokenRotated';
  return followsConsent ? grants.inStream(record.stream) : undefined;
}

function checkTestMode(auditedEvent: AuditedEvent, history: History): Violation | undefined {
  const { clientId, userId } = grantParties(auditedEvent, history) ?? {};
  const client = clientId === undefined ? undefined : history.clients.find(clientId);
  if (client?.mode !== 'test' || typeof userId !== 'string' || client.members.has(userId)) return undefined;
  const message = `${auditedEvent.event.type}: the client is in test mode, and user ${userId} is not a member`;
  return client.restrictedAt === null
    ? finding(message)
    : lateViolation(auditedEvent.record, client.restrictedAt, message);
}

export const memberRules: readonly EventRule[] = [
  {
    name: 'members-exist',
    description: 'A user who becomes an owner or a test user of a client has an account.',
    check({ event: { type, data } }, { users }) {
      if (type !== 'ClientMemberAdded') return undefined;
      const user = users.find(data.userId);
      if (user === undefined) return finding(`the member ${data.userId} never had an account`);
      return user.status === 'erased' ? finding(`the account of the member ${data.userId} was erased`) : undefined;
    },
  },
  {
    name: 'members-have-one-role',
    description: 'A user gets a role that they do not have, and loses the one that they have.',
    check: checkRoles,
  },
  {
    name: 'a-client-keeps-an-owner',
    description: 'An owner is removed only if another owner remains whose account is not erased.',
    check: checkLastOwner,
  },
  {
    name: 'invitations-work-once',
    description: 'An invitation is accepted once, by the invited user, while the user who made it is an owner.',
    check: checkInvitation,
  },
  {
    name: 'test-mode-is-for-members',
    description:
      'In test mode, a client gets consent, tokens for a code, and refreshed tokens only for its owners and test ' +
      'users; a violation up to a minute after the mode or the members changed is a notice, because the decision may ' +
      'be older.',
    check: checkTestMode,
  },
];
