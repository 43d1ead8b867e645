import type { EventOf } from '../../domain/events.ts';
import type { MemberRole, UserId } from '../../domain/values.ts';
import { message, type Message } from '../../language/message.ts';
import { partyValues, type Party } from './sentence-parts.ts';

/** Returns a message saying that a user got a role, by accepting an invitation or without one. */
export function describeMemberAddition(
  { userId, role, invitation }: EventOf<'ClientMemberAdded'>['data'],
  actor: Party,
  client: Party,
  user: (userId: UserId) => Party,
): Message {
  return invitation === null
    ? message('sentence.member-added', memberValues(role, { actor, user: user(userId), client }))
    : message('sentence.member-joined', memberValues(role, { actor: user(invitation.by), user: user(userId), client }));
}

/**
 * Returns a message saying that a user lost a role.
 * @param isSelfRemoval whether the user gave up the role
 */
export function describeMemberRemoval(
  role: MemberRole,
  isSelfRemoval: boolean,
  { actor, client, user }: Readonly<Record<'actor' | 'client' | 'user', Party>>,
): Message {
  return isSelfRemoval
    ? message('sentence.member-left', memberValues(role, { actor, client }))
    : message('sentence.member-removed', memberValues(role, { actor, client, user }));
}

/** Returns a message saying that the pending invitations to a role were withdrawn. */
export function describeInvitationsWithdrawal(
  role: MemberRole,
  parties: Readonly<Record<'actor' | 'client', Party>>,
): Message {
  return message('sentence.invitations-withdrawn', memberValues(role, parties));
}

function memberValues(role: MemberRole, parties: Readonly<Record<string, Party>>) {
  return { ...partyValues(parties), role: role === 'owner' ? 'owner' : 'tester' };
}
